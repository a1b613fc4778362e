// OpenCL C's functions of floats, doubles and halves against MPFR, within the bounds of the specification
// [OpenCL C 3.0, 7.4; for halves the extension specification], with its special cases [7.5.1]: exact zeros
// have their signs, and NaN and infinities stand where C99 and the specification have them. LENO_TEST_EFFORT
// multiplies the numbers; from 10 on all halves are tried, and vectors of every width are compared with the
// scalars. LENO_TEST_FUNCTION names one function, LENO_TEST_TELL shows each one's worst error.
#include "OpenCLTest.h"

#include "../Effort.h"

#include <bit>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#define MPFR_USE_NO_MACRO // they want plain pointers
#include <mpfr.h>
#include <random>
#include <tuple>

namespace {

using half = _Float16;
template <class T> struct Format;
template <> struct Format<float> {
  static constexpr char name[] = "float";
  static constexpr int digits = 24, least = -149, most = 128, column = 0;
  using Bits = std::uint32_t;
};
template <> struct Format<double> {
  static constexpr char name[] = "double";
  static constexpr int digits = 53, least = -1074, most = 1024, column = 1;
  using Bits = std::uint64_t;
};
template <> struct Format<half> {
  static constexpr char name[] = "half";
  static constexpr int digits = 11, least = -24, most = 16, column = 2;
  using Bits = std::uint16_t;
};

class Real {
public:
  Real() { mpfr_init2(value, 256); }
  ~Real() { mpfr_clear(value); }
  Real(const Real &) = delete;
  operator mpfr_ptr() { return value; }

private:
  mpfr_t value;
};

/// What a call is given, and what it should give: its value, a second one behind a pointer, an integer.
struct Call {
  Real a, b, c, result, second;
  long n = 0, integer = 0;
  double largestBelow1 = 0; ///< of the type
  Real t, u;                ///< for the functions below
};

constexpr double Exact = 0; ///< rounded to nearest
constexpr double Any =
    std::numeric_limits<double>::infinity(); ///< only infinities and NaN are held against it
constexpr double None = -1;                  ///< there is no such function
constexpr mpfr_rnd_t N = MPFR_RNDN;

void pi(mpfr_ptr r) { mpfr_const_pi(r, N); }
bool isOdd(mpfr_ptr x) {
  Real half;
  mpfr_div_2ui(half, x, 1, N);
  return mpfr_integer_p(x) && !mpfr_integer_p(half);
}
int signOf(mpfr_ptr x) { return mpfr_signbit(x) ? -1 : 1; }

void powr(Call &f) {
  bool one = mpfr_cmp_ui(f.a, 1) == 0;
  if (mpfr_nan_p(f.a) || mpfr_nan_p(f.b) || mpfr_sgn(f.a) < 0 || (one && mpfr_inf_p(f.b)) ||
      ((mpfr_zero_p(f.a) || mpfr_inf_p(f.a)) && mpfr_zero_p(f.b)))
    return mpfr_set_nan(f.result);
  mpfr_abs(f.t, f.a, N); // of -0 as of +0
  mpfr_pow(f.result, f.t, f.b, N);
}
void rootn(Call &f) {
  if (f.n == 0 || mpfr_nan_p(f.a) || (f.n % 2 == 0 && mpfr_sgn(f.a) < 0))
    return mpfr_set_nan(f.result);
  if (mpfr_zero_p(f.a) || mpfr_inf_p(f.a)) {
    int sign = f.n % 2 ? signOf(f.a) : 1;
    return bool(mpfr_zero_p(f.a)) == (f.n > 0) ? mpfr_set_zero(f.result, sign) : mpfr_set_inf(f.result, sign);
  }
  mpfr_abs(f.t, f.a, N);
  mpfr_log(f.t, f.t, N);
  mpfr_div_si(f.t, f.t, f.n, N);
  mpfr_exp(f.result, f.t, N);
  if (mpfr_sgn(f.a) < 0)
    mpfr_neg(f.result, f.result, N);
}
void tgamma(Call &f) {
  if (mpfr_cmp_si(f.a, -2000) < 0 && !mpfr_inf_p(f.a) && !mpfr_integer_p(f.a))
    return mpfr_set_zero(f.result, isOdd((mpfr_floor(f.t, f.a), f.t)) ? -1 : 1);
  if (mpfr_cmp_ui(f.a, 2000) > 0)
    return mpfr_set_inf(f.result, 1);
  mpfr_gamma(f.result, f.a, N);
}
void lgamma(Call &f) {
  int sign = 1;
  mpfr_lgamma(f.result, &sign, f.a, N);
  f.integer = mpfr_nan_p(f.a) || mpfr_inf_p(f.a) ? (mpfr_nan_p(f.a) ? 0 : 1) : sign;
  if (mpfr_integer_p(f.a) && mpfr_sgn(f.a) <= 0)
    f.integer = 0;
}
void fract(Call &f) {
  if (mpfr_inf_p(f.a)) {
    mpfr_set(f.second, f.a, N);
    return mpfr_set_zero(f.result, signOf(f.a));
  }
  mpfr_floor(f.second, f.a);
  mpfr_set_prec(f.result, 2200);
  mpfr_sub(f.result, f.a, f.second, N);
  if (mpfr_cmp_d(f.result, f.largestBelow1) > 0)
    mpfr_set_d(f.result, f.largestBelow1, N);
  if (mpfr_zero_p(f.result))
    mpfr_set_zero(f.result, mpfr_zero_p(f.a) ? signOf(f.a) : 1);
}
void modf(Call &f) {
  if (mpfr_nan_p(f.a))
    return mpfr_set_nan(f.second), mpfr_set_nan(f.result);
  mpfr_modf(f.second, f.result, f.a, N);
}
void frexp(Call &f) {
  mpfr_exp_t e = 0;
  mpfr_frexp(&e, f.result, f.a, N);
  f.integer = mpfr_regular_p(f.a) ? e : 0;
}
void remquo(Call &f) {
  f.integer = 0;
  mpfr_remquo(f.result, &f.integer, f.a, f.b, N);
  if (mpfr_nan_p(f.result))
    f.integer = 0;
}
void ilogb(Call &f) {
  mpfr_set_zero(f.result, 1);
  f.integer = mpfr_nan_p(f.a)    ? INT_MAX
              : mpfr_zero_p(f.a) ? INT_MIN
              : mpfr_inf_p(f.a)  ? INT_MAX
                                 : mpfr_get_exp(f.a) - 1;
}
void logb(Call &f) {
  if (mpfr_nan_p(f.a))
    return mpfr_set_nan(f.result);
  if (!mpfr_regular_p(f.a))
    return mpfr_set_inf(f.result, mpfr_zero_p(f.a) ? -1 : 1);
  mpfr_set_si(f.result, mpfr_get_exp(f.a) - 1, N);
}
template <int (*F)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)> void two(Call &f) {
  F(f.result, f.a, f.b, N);
}
/// All bits: numbers may be 2^2000 apart.
template <int (*F)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)> void whole(Call &f) {
  mpfr_set_prec(f.result, 2200);
  F(f.result, f.a, f.b, N);
}
void fma(Call &f) {
  mpfr_set_prec(f.result, 4400);
  mpfr_fma(f.result, f.a, f.b, f.c, N);
}
template <int (*F)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)> void one(Call &f) { F(f.result, f.a, N); }
/// Which of two has the larger or the smaller magnitude.
void magnitude(Call &f, int which) {
  int order = mpfr_nan_p(f.a) || mpfr_nan_p(f.b) ? 0 : mpfr_cmpabs(f.a, f.b) * which;
  if (order)
    mpfr_set(f.result, order > 0 ? f.a : f.b, N);
  else
    (which > 0 ? mpfr_max : mpfr_min)(f.result, f.a, f.b, N);
}
void fdim(Call &f) {
  if (mpfr_nan_p(f.a) || mpfr_nan_p(f.b))
    return mpfr_set_nan(f.result);
  if (mpfr_cmp(f.a, f.b) <= 0)
    return mpfr_set_zero(f.result, 1);
  whole<mpfr_sub>(f);
}

/// As IEEE 754 has it, -0 gives the negative infinity.
void rsqrt(Call &f) {
  mpfr_sqrt(f.t, f.a, N);
  mpfr_ui_div(f.result, 1, f.t, N);
}
void inverse(Call &f) { mpfr_ui_div(f.result, 1, f.a, N); }
void degrees(Call &f) {
  pi(f.t);
  mpfr_mul_ui(f.u, f.a, 180, N);
  mpfr_div(f.result, f.u, f.t, N);
}
void radians(Call &f) {
  pi(f.t);
  mpfr_mul(f.u, f.a, f.t, N);
  mpfr_div_ui(f.result, f.u, 180, N);
}

struct Function {
  const char *name;
  const char *text; ///< of A, B, C and the int N; gives R, and with them the second value S and the int Q
  double bounds[3]; ///< units in the last place, of float, double, half
  void (*reference)(Call &);
  bool anyZero = false; ///< the sign of a zero is not given
};

/// The name alone: one argument.
#define ONE(name, f, d, h, reference)                                                                        \
  { #name, "R = " #name "(A)", {f, d, h }, reference }
#define TWO(name, f, d, h, reference)                                                                        \
  { #name, "R = " #name "(A, B)", {f, d, h }, reference }

const Function functions[] = {
    {"add", "R = A + B", {Exact, Exact, Exact}, whole<mpfr_add>},
    {"subtract", "R = A - B", {Exact, Exact, Exact}, whole<mpfr_sub>},
    {"multiply", "R = A * B", {Exact, Exact, Exact}, two<mpfr_mul>},
    {"divide", "R = A / B", {2.5, Exact, 1}, two<mpfr_div>},
    {"inverse", "R = 1 / A", {2.5, Exact, 1}, inverse},
    ONE(acos, 4, 4, 2, one<mpfr_acos>),
    ONE(acosh, 4, 4, 2, one<mpfr_acosh>),
    ONE(acospi, 5, 5, 2, one<mpfr_acospi>),
    ONE(asin, 4, 4, 2, one<mpfr_asin>),
    ONE(asinh, 4, 4, 2, one<mpfr_asinh>),
    ONE(asinpi, 5, 5, 2, one<mpfr_asinpi>),
    ONE(atan, 5, 5, 2, one<mpfr_atan>),
    ONE(atanh, 5, 5, 2, one<mpfr_atanh>),
    ONE(atanpi, 5, 5, 2, one<mpfr_atanpi>),
    TWO(atan2, 6, 6, 2, two<mpfr_atan2>),
    TWO(atan2pi, 6, 6, 2, two<mpfr_atan2pi>),
    ONE(cbrt, 2, 2, 2, one<mpfr_cbrt>),
    ONE(ceil, Exact, Exact, Exact, one<mpfr_rint_ceil>),
    TWO(copysign, Exact, Exact, Exact, two<mpfr_copysign>),
    ONE(cos, 4, 4, 2, one<mpfr_cos>),
    ONE(cosh, 4, 4, 2, one<mpfr_cosh>),
    ONE(cospi, 4, 4, 2, one<mpfr_cospi>),
    ONE(erf, 16, 16, 4, one<mpfr_erf>),
    ONE(erfc, 16, 16, 4, one<mpfr_erfc>),
    ONE(exp, 3, 3, 2, one<mpfr_exp>),
    ONE(exp2, 3, 3, 2, one<mpfr_exp2>),
    ONE(exp10, 3, 3, 2, one<mpfr_exp10>),
    ONE(expm1, 3, 3, 2, one<mpfr_expm1>),
    ONE(fabs, Exact, Exact, Exact, one<mpfr_abs>),
    TWO(fdim, Exact, Exact, Exact, fdim),
    ONE(floor, Exact, Exact, Exact, one<mpfr_rint_floor>),
    {"fma", "R = fma(A, B, C)", {Exact, Exact, Exact}, fma},
    {"fmax", "R = fmax(A, B)", {Exact, Exact, Exact}, two<mpfr_max>, true},
    {"fmin", "R = fmin(A, B)", {Exact, Exact, Exact}, two<mpfr_min>, true},
    TWO(fmod, Exact, Exact, Exact, two<mpfr_fmod>),
    {"fract", "R = fract(A, &S)", {Exact, Exact, Exact}, fract},
    {"frexp", "R = frexp(A, &Q)", {Exact, Exact, Exact}, frexp},
    TWO(hypot, 4, 4, 2, two<mpfr_hypot>),
    {"ilogb", "Q = ilogb(A)", {Exact, Exact, Exact}, ilogb},
    {"ldexp", "R = ldexp(A, N)", {Exact, Exact, Exact}, [](Call &f) { mpfr_mul_2si(f.result, f.a, f.n, N); }},
    ONE(lgamma, Any, Any, Any, lgamma),
    {"lgamma_r", "R = lgamma_r(A, &Q)", {Any, Any, Any}, lgamma},
    ONE(log, 3, 3, 2, one<mpfr_log>),
    ONE(log2, 3, 3, 2, one<mpfr_log2>),
    ONE(log10, 3, 3, 2, one<mpfr_log10>),
    ONE(log1p, 2, 2, 2, one<mpfr_log1p>),
    ONE(logb, Exact, Exact, Exact, logb),
    {"maxmag", "R = maxmag(A, B)", {Exact, Exact, Exact}, [](Call &f) { magnitude(f, 1); }, true},
    {"minmag", "R = minmag(A, B)", {Exact, Exact, Exact}, [](Call &f) { magnitude(f, -1); }, true},
    {"modf", "R = modf(A, &S)", {Exact, Exact, Exact}, modf},
    TWO(pow, 16, 16, 4, two<mpfr_pow>),
    {"pown", "R = pown(A, N)", {16, 16, 4}, [](Call &f) { mpfr_pow_si(f.result, f.a, f.n, N); }},
    TWO(powr, 16, 16, 4, powr),
    TWO(remainder, Exact, Exact, Exact, two<mpfr_remainder>),
    {"remquo", "R = remquo(A, B, &Q)", {Exact, Exact, Exact}, remquo},
    ONE(rint, Exact, Exact, Exact, one<mpfr_rint_roundeven>),
    {"rootn", "R = rootn(A, N)", {16, 16, 4}, rootn},
    ONE(round, Exact, Exact, Exact, one<mpfr_rint_round>),
    ONE(rsqrt, 2, 2, 1, rsqrt),
    ONE(sin, 4, 4, 2, one<mpfr_sin>),
    {"sincos",
     "R = sincos(A, &S)",
     {4, 4, 2},
     [](Call &f) { mpfr_sin(f.result, f.a, N), mpfr_cos(f.second, f.a, N); }},
    ONE(sinh, 4, 4, 2, one<mpfr_sinh>),
    ONE(sinpi, 4, 4, 2, one<mpfr_sinpi>),
    ONE(sqrt, Exact, Exact, Exact, one<mpfr_sqrt>), // the device says that floats' are, too
    ONE(tan, 5, 5, 2, one<mpfr_tan>),
    ONE(tanh, 5, 5, 2, one<mpfr_tanh>),
    ONE(tanpi, 6, 6, 2, one<mpfr_tanpi>),
    {"tgamma", "R = tgamma(A)", {16, 16, 4}, tgamma, true},
    ONE(trunc, Exact, Exact, Exact, one<mpfr_rint_trunc>),
    ONE(degrees, 2, 2, 2, degrees),
    ONE(radians, 2, 2, 2, radians),
    ONE(half_exp2, 8192, None, None, one<mpfr_exp2>),
    ONE(half_exp, 8192, None, None, one<mpfr_exp>),
    ONE(half_exp10, 8192, None, None, one<mpfr_exp10>),
    ONE(half_log, 8192, None, None, one<mpfr_log>),
    ONE(half_log2, 8192, None, None, one<mpfr_log2>),
    ONE(half_log10, 8192, None, None, one<mpfr_log10>),
    ONE(half_rsqrt, 8192, None, None, rsqrt),
    ONE(half_sqrt, 8192, None, None, one<mpfr_sqrt>),
    ONE(half_sin, 8192, None, None, one<mpfr_sin>),
    ONE(half_cos, 8192, None, None, one<mpfr_cos>),
    ONE(half_tan, 8192, None, None, one<mpfr_tan>),
    ONE(half_recip, 8192, None, None, inverse),
    TWO(half_divide, 8192, None, None, two<mpfr_div>),
    TWO(half_powr, 8192, None, None, powr),
};
#undef ONE
#undef TWO

bool uses(const Function &function, const char *name) {
  std::string text(function.text);
  for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; ++at)
    if (!std::isalnum(text[at + 1]) && (at == 0 || !std::isalnum(text[at - 1])))
      return true;
  return false;
}

template <class T> T fromBits(typename Format<T>::Bits bits) { return std::bit_cast<T>(bits); }

/// Ends of ranges, neighbours of what is easy, and what is no number.
template <class T> std::vector<T> specials() {
  using Limits = std::numeric_limits<float>;
  using F = Format<T>;
  double one = std::ldexp(1.0, 1 - F::digits), least = std::ldexp(1.0, F::least),
         normal = std::ldexp(1.0, F::least + F::digits - 1);
  double most = (2 - one) * std::ldexp(1.0, F::most - 1);
  std::vector<double> values = {0.0,
                                least,
                                2 * least,
                                3 * least,
                                normal - least,
                                normal,
                                normal + least,
                                one,
                                one / 2,
                                0.25,
                                0.5 - one / 4,
                                0.5,
                                0.5 + one / 2,
                                0.75,
                                1 - one / 2,
                                1,
                                1 + one,
                                1.5 - one,
                                1.5,
                                1.5 + one,
                                2 - one,
                                2,
                                2 + 2 * one,
                                2.5,
                                3,
                                3.5,
                                4,
                                5,
                                6,
                                7,
                                8,
                                10,
                                16,
                                17,
                                100,
                                1000,
                                std::ldexp(1.0, F::digits - 1) - 0.5,
                                std::ldexp(1.0, F::digits - 1),
                                std::ldexp(1.0, F::digits - 1) + 1,
                                std::ldexp(1.0, F::digits),
                                std::ldexp(1.0, F::digits) + 2,
                                most / 2,
                                most,
                                M_PI,
                                M_PI_2,
                                M_PI_4,
                                3 * M_PI_4,
                                M_E,
                                M_LN2,
                                0x1p31,
                                0x1p32,
                                0x1p63,
                                0x1p64,
                                11.09,
                                17.33,
                                38.6,
                                45.2,
                                88.72,
                                103.97,
                                126.5,
                                149.5,
                                171.7,
                                308.3,
                                323.9,
                                709.78,
                                745.14,
                                1e10,
                                1e22,
                                1e-3,
                                1e-5,
                                1e-20,
                                1e38,
                                1e200,
                                1e300};
  std::vector<T> list;
  for (double value : values)
    for (T x : {T(value), T(-value)})
      list.push_back(x);
  list.push_back(T(Limits::infinity()));
  list.push_back(T(-Limits::infinity()));
  list.push_back(T(Limits::quiet_NaN()));
  return list;
}

template <class T> class Numbers {
public:
  T next() {
    using Bits = typename Format<T>::Bits;
    switch (dice() % 4) {
    case 0:
      return fromBits<T>(Bits(dice()));
    case 1: { // near 1
      T x = T(std::ldexp(1.0 + unit(), int(dice() % 12) - 6));
      return dice() % 2 ? x : T(-x);
    }
    case 2: { // few bits
      T x = T(std::ldexp(double(dice() % 64), int(dice() % 16) - 8));
      return dice() % 2 ? x : T(-x);
    }
    default: { // numbers of every size that people have
      T x = T(std::exp((unit() - 0.5) * 24));
      return dice() % 2 ? x : T(-x);
    }
    }
  }
  int integer() {
    return dice() % 2 ? int(dice() % 64) - 32 : dice() % 2 ? int(dice() % 4400) - 2200 : int(dice());
  }
  double unit() { return double(dice() >> 11) * 0x1p-53; }
  std::mt19937_64 dice{20260731};
};

/// To nearest, ties to even, as T has it.
template <class T> void roundTo(mpfr_ptr to, mpfr_ptr x) {
  using F = Format<T>;
  if (!mpfr_regular_p(x)) {
    mpfr_set(to, x, N);
    return;
  }
  long place = std::max<long>(long(mpfr_get_exp(x)) - F::digits, F::least);
  mpfr_div_2si(to, x, place, N);
  mpfr_rint(to, to, N);
  mpfr_mul_2si(to, to, place, N);
  if (mpfr_regular_p(to) && mpfr_get_exp(to) > F::most)
    mpfr_set_inf(to, signOf(x));
}

/// Units in the last place that `got` is off by; infinite where only one is a NaN or an infinity, or a zero's
/// sign is wrong.
template <class T> double errorOf(T got, mpfr_ptr want, double bound, bool anyZero) {
  using F = Format<T>;
  Real g, difference;
  mpfr_set_d(g, double(got), N);
  if (mpfr_nan_p(want) || mpfr_nan_p(g))
    return mpfr_nan_p(want) && mpfr_nan_p(g) ? 0 : Any;
  if (mpfr_zero_p(want) && mpfr_zero_p(g))
    return anyZero || signOf(want) == signOf(g) ? 0 : Any;
  mpfr_set_prec(difference, std::max(mpfr_get_prec(want), mpfr_prec_t(256)));
  roundTo<T>(difference, want);
  if (mpfr_equal_p(difference, g) && (mpfr_regular_p(g) || mpfr_inf_p(g) || signOf(g) == signOf(want)))
    return 0;
  if (bound == Exact)
    return Any;
  if (mpfr_inf_p(want))
    return Any;
  if (bound == Any)
    return mpfr_inf_p(g) ? Any : 0;
  if (mpfr_inf_p(g)) // what comes after the largest number
    mpfr_set_si_2exp(g, signOf(g), F::most, N);
  mpfr_sub(difference, g, want, N);
  long exponent = mpfr_zero_p(want) ? F::least : long(mpfr_get_exp(want));
  Real whole;
  mpfr_set_si_2exp(whole, signOf(want), exponent - 1, N);
  if (!mpfr_zero_p(want) && mpfr_equal_p(whole, want))
    --exponent; // the finer place below a power of two
  mpfr_div_2si(difference, difference, std::max<long>(exponent - F::digits, F::least), N);
  return std::fabs(mpfr_get_d(difference, N));
}

template <class T> class MathTest : public OpenCLTest {
protected:
  using F = Format<T>;

  /// A kernel for a function and a width.
  static std::string kernelText(const Function &function, unsigned width) {
    std::string w = width == 1 ? "" : std::to_string(width), type = F::name, text;
    std::string vector = type + w, integers = "int" + w;
    auto load = [&](const char *name, const std::string &type, const char *from) {
      return "  " + type + " " + name + " = " +
             (width == 1 ? std::string(from) + "[i]" : "vload" + w + "(i, " + from + ")") + ";\n";
    };
    auto store = [&](const char *name, const char *to) {
      return "  " +
             (width == 1 ? std::string(to) + "[i] = " + name
                         : "vstore" + w + "(" + name + ", i, " + to + ")") +
             ";\n";
    };
    text = "kernel void f_" + std::string(function.name) + "_" + std::to_string(width);
    for (const char *argument : {"const %*a", "const %*b", "const %*c", "%*r", "%*s"}) {
      std::string one(argument);
      one.replace(one.find('%'), 1, type + " ");
      text += (text.back() == ',' ? " global " : "(global ") + one + ",";
    }
    text += " global const int *n, global int *q) {\n  size_t i = get_global_id(0);\n";
    for (auto [name, from] : {std::pair("A", "a"), {"B", "b"}, {"C", "c"}})
      if (uses(function, name))
        text += load(name, vector, from);
    if (uses(function, "N"))
      text += load("N", integers, "n");
    text += "  " + vector + " R = 0, S = 0;\n  " + integers + " Q = 0;\n  " + function.text + ";\n";
    return text + store("R", "r") + store("S", "s") + store("Q", "q") + "}\n";
  }

  void runAll() {
    setenv("LENO_MESSAGES", "on", 1);
    std::vector<T> list = specials<T>();
    Numbers<T> numbers;
    std::vector<unsigned> widths = {1};
    if (leno::test::effort(1) >= 10)
      widths = {1, 2, 3, 4, 8, 16};
    const char *only = std::getenv("LENO_TEST_FUNCTION");
    unsigned tried = 0;
    for (const Function &function : functions) {
      double bound = function.bounds[F::column];
      if (bound == None || (only && std::string(only) != function.name))
        continue;
      fill(function, list, numbers);
      std::string text = F::digits == 11 ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
      for (unsigned width : widths)
        text += kernelText(function, width);
      cl_program program = build(text.c_str(), "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt");
      if (error)
        continue;
      std::vector<T> r, s;
      std::vector<int> q;
      run(program, function, 1, r, s, q);
      compare(function, bound, r, s, q);
      ++tried;
      for (unsigned width : widths) {
        if (width == 1)
          continue;
        std::vector<T> vr, vs;
        std::vector<int> vq;
        run(program, function, width, vr, vs, vq);
        for (size_t i = 0; i < r.size(); ++i)
          if (!same(r[i], vr[i]) || !same(s[i], vs[i]) || q[i] != vq[i]) {
            ADD_FAILURE() << F::name << ' ' << function.name << " of a vector of " << width << " at "
                          << i % width << ": " << shown(i) << " gives " << double(vr[i])
                          << ", the scalar's is " << double(r[i]);
            break;
          }
      }
      clReleaseProgram(program);
    }
    if (!only) {
      EXPECT_GE(tried, 70u);
    }
    std::printf("%s: %u functions of %zu numbers\n", F::name, tried, a.size());
  }

  static bool same(T x, T y) {
    using Bits = typename F::Bits;
    return (x != x && y != y) || std::bit_cast<Bits>(x) == std::bit_cast<Bits>(y);
  }

  void fill(const Function &function, const std::vector<T> &list, Numbers<T> &numbers) {
    a.clear(), b.clear(), c.clear(), n.clear();
    std::vector<int> whole = {0,          1,           -1,
                              2,          -2,          3,
                              -3,         4,           5,
                              7,          8,           10,
                              16,         31,          32,
                              33,         100,         127,
                              128,        149,         150,
                              255,        1022,        1023,
                              1024,       1074,        1075,
                              2100,       -10,         -31,
                              -32,        -126,        -127,
                              -149,       -150,        -1022,
                              -1074,      -2100,       (1 << 24) + 1,
                              INT_MAX,    INT_MAX - 1, INT_MIN,
                              INT_MIN + 1};
    auto add = [&](T x, T y, T z, int k) { a.push_back(x), b.push_back(y), c.push_back(z), n.push_back(k); };
    size_t k = 0;
    if (uses(function, "C"))
      for (T x : list)
        for (T y : list)
          add(x, y, list[k++ * 7 % list.size()], 0), add(x, y, T(-double(x) * double(y)), 0);
    else if (uses(function, "B"))
      for (T x : list)
        for (T y : list)
          add(x, y, T(0), 0);
    else if (uses(function, "N"))
      for (T x : list)
        for (int y : whole)
          add(x, T(0), T(0), y);
    else
      for (T x : list)
        add(x, T(0), T(0), 0);
    size_t count = a.size() + leno::test::effort(2000);
    bool isLong = leno::test::effort(1) >= 10;
    if (isLong && sizeof(T) == 2 && !uses(function, "B") && !uses(function, "N")) // all that there are
      for (unsigned bits = 0; bits < 0x10000; ++bits)
        add(fromBits<T>(typename F::Bits(bits)), T(0), T(0), 0);
    while (a.size() < count || a.size() % 48) // whole vectors of every width
      add(numbers.next(), numbers.next(), numbers.next(), numbers.integer());
  }

  void run(cl_program program, const Function &function, unsigned width, std::vector<T> &r, std::vector<T> &s,
           std::vector<int> &q) {
    cl_kernel kernel =
        kernelOf(program, ("f_" + std::string(function.name) + "_" + std::to_string(width)).c_str());
    r.assign(a.size(), T(0)), s = r, q.assign(a.size(), 0);
    cl_mem buffers[] = {bufferWith(a), bufferWith(b), bufferWith(c), bufferWith(r),
                        bufferWith(s), bufferWith(n), bufferWith(q)};
    for (cl_uint i = 0; i < 7; ++i)
      set(kernel, i, buffers[i]);
    EXPECT_EQ(OpenCLTest::run(kernel, a.size() / width), CL_SUCCESS);
    r = read<T>(buffers[3], a.size()), s = read<T>(buffers[4], a.size()), q = read<int>(buffers[6], a.size());
    for (cl_mem buffer : buffers)
      clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
  }

  std::string shown(size_t i) const {
    char text[200];
    std::snprintf(text, sizeof(text), "%a, %a, %a, %d", double(a[i]), double(b[i]), double(c[i]), n[i]);
    return text;
  }

  /// Where the specification leaves it open, and how an integer is compared.
  static bool isOpen(const Function &function, T a) {
    std::string name = function.name;
    double x = double(a), size = std::fabs(x);
    if (name == "half_sin" || name == "half_cos" || name == "half_tan")
      return size > 0x1p16;
    return false;
  }
  static bool sameInteger(const Function &function, long got, long want, T result) {
    std::string name = function.name;
    if (name == "remquo") // the low seven bits, and the sign
      return (std::labs(got) & 127) == (std::labs(want) & 127) && (got % 128 == 0 || (got < 0) == (want < 0));
    if (name == "frexp" && !std::isfinite(double(result)))
      return true; // of infinities 0, of NaN anything
    if (name == "lgamma_r" && std::isnan(double(result)))
      return true;
    return got == want;
  }

  void compare(const Function &function, double bound, const std::vector<T> &r, const std::vector<T> &s,
               const std::vector<int> &q) {
    Call f;
    f.largestBelow1 = 1 - std::ldexp(1.0, -F::digits);
    double worst = 0;
    size_t at = 0, wrong = 0;
    bool secondIs = uses(function, "S"), integerIs = uses(function, "Q"), resultIs = uses(function, "R");
    for (size_t i = 0; i < a.size(); ++i) {
      if (isOpen(function, a[i]))
        continue;
      for (auto [to, from] : {std::pair(&f.a, a[i]), {&f.b, b[i]}, {&f.c, c[i]}}) {
        mpfr_set_d(*to, double(from), N);
        mpfr_setsign(*to, *to, std::signbit(double(from)), N); // a NaN's, too
      }
      f.n = n[i];
      f.integer = 0;
      function.reference(f);
      double off = resultIs ? errorOf(r[i], f.result, bound, function.anyZero) : 0;
      if (secondIs)
        off = std::max(off, errorOf(s[i], f.second, bound, function.anyZero));
      if (integerIs && !sameInteger(function, q[i], f.integer, r[i]))
        off = Any;
      if (off > bound || std::isinf(off))
        ++wrong;
      if (off > worst)
        worst = off, at = i;
      if ((off > bound || std::isinf(off)) && wrong <= 3)
        tell(function, i, off, r, s, q, f);
    }
    if (std::getenv("LENO_TEST_TELL"))
      std::printf("%s %s: %g of %g at %s\n", F::name, function.name, worst, bound, shown(at).c_str());
    EXPECT_EQ(wrong, 0u) << F::name << ' ' << function.name << ": of " << a.size()
                         << " that many are out of bounds; the worst by " << worst << " of " << bound
                         << " at " << shown(at);
  }

  void tell(const Function &function, size_t i, double off, const std::vector<T> &r, const std::vector<T> &s,
            const std::vector<int> &q, Call &f) {
    char text[400];
    mpfr_snprintf(text, sizeof(text), "%s %s(%s): %a, %a, %d instead of %.20Ra, %.20Ra, %ld: off by %g",
                  F::name, function.name, shown(i).c_str(), double(r[i]), double(s[i]), q[i],
                  mpfr_ptr(f.result), mpfr_ptr(f.second), f.integer, off);
    std::printf("%s\n", text);
  }

  std::vector<T> a, b, c;
  std::vector<int> n;
};

using FloatMathTest = MathTest<float>;
using DoubleMathTest = MathTest<double>;
using HalfMathTest = MathTest<half>;
} // namespace

TEST_F(FloatMathTest, FunctionsAreWithinTheirBounds) { runAll(); }
TEST_F(DoubleMathTest, FunctionsAreWithinTheirBounds) { runAll(); }
TEST_F(HalfMathTest, FunctionsAreWithinTheirBounds) { runAll(); }
