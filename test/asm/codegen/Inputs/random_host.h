// The host's side of random kernels: a block of 64 lanes, each on a stack of its own. A lane that comes to a vote, a shuffle or a
// barrier waits with its place in the program: positions of statements and turns of loops. When all wait, those at the first place
// in the program's order are there together, for nobody can come there any more.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { LANES = 64, WARP = 32, DEEP = 96 };
enum kind { ALL, ANY, SAME, MASK, SHUFFLE, MEET };
struct lane {
  ucontext_t context;
  int key[DEEP], length, prefix;
  enum kind kind;
  unsigned value, with, result;
  int over;
};
static struct lane lanes[LANES];
static ucontext_t steps;
static unsigned now;
static void (*body)(unsigned, const unsigned *, unsigned *);
static const unsigned *input;
static unsigned *output;

static void together(enum kind kind, int count, const int *place) {
  struct lane *lane = &lanes[now];
  if (lane->prefix + count > DEEP)
    abort();
  memcpy(lane->key + lane->prefix, place, sizeof(int) * count);
  lane->length = lane->prefix + count;
  lane->kind = kind;
  swapcontext(&lane->context, &steps);
}
static unsigned vote(enum kind kind, unsigned value, unsigned with, int count, const int *place) {
  struct lane *lane = &lanes[now];
  lane->value = value;
  lane->with = with;
  together(kind, count, place);
  return lane->result;
}
static int enter(int count, const int *place) {
  struct lane *lane = &lanes[now];
  if (lane->prefix + count > DEEP)
    abort();
  memcpy(lane->key + lane->prefix, place, sizeof(int) * count);
  lane->prefix += count;
  return count;
}
static unsigned left(int count, unsigned result) {
  lanes[now].prefix -= count;
  return result;
}
#define PLACE(...) sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__}
#define VOTE(kind, value, ...) vote(kind, (value) != 0, 0, PLACE(__VA_ARGS__))
#define EXCHANGE(value, with, ...) vote(SHUFFLE, value, with, PLACE(__VA_ARGS__))
#define BARRIER(...) together(MEET, PLACE(__VA_ARGS__))
#define CALL(call, ...) ({ int entered = enter(PLACE(__VA_ARGS__)); left(entered, call); })

static int before(const struct lane *a, const struct lane *b) {
  for (int i = 0; i < a->length && i < b->length; ++i)
    if (a->key[i] != b->key[i])
      return a->key[i] < b->key[i] ? -1 : 1;
  return a->length - b->length;
}
static void live(void) {
  body(now, input, output);
  lanes[now].over = 1;
}
static void block(void (*kernel)(unsigned, const unsigned *, unsigned *), const unsigned *in, unsigned *out) {
  static char stacks[LANES][1 << 16];
  body = kernel;
  input = in;
  output = out;
  for (now = 0; now < LANES; ++now) {
    memset(&lanes[now], 0, sizeof lanes[now]);
    getcontext(&lanes[now].context);
    lanes[now].context.uc_stack.ss_sp = stacks[now];
    lanes[now].context.uc_stack.ss_size = sizeof stacks[now];
    lanes[now].context.uc_link = &steps;
    makecontext(&lanes[now].context, live, 0);
    swapcontext(&steps, &lanes[now].context);
  }
  for (;;) {
    const struct lane *first = NULL;
    for (int i = 0; i < LANES; ++i)
      if (!lanes[i].over && (!first || before(&lanes[i], first) < 0))
        first = &lanes[i];
    if (!first)
      return;
    struct lane place = *first;
    int here[LANES];
    unsigned masks[LANES / WARP] = {0}, counts[LANES / WARP] = {0};
    for (int i = 0; i < LANES; ++i) {
      here[i] = !lanes[i].over && before(&lanes[i], &place) == 0;
      if (!here[i])
        continue;
      counts[i / WARP]++;
      masks[i / WARP] |= (unsigned)(lanes[i].value & 1) << i % WARP;
    }
    for (int i = 0; i < LANES; ++i) {
      struct lane *lane = &lanes[i];
      unsigned mask = masks[i / WARP], ones = (unsigned)__builtin_popcount(mask), count = counts[i / WARP];
      if (here[i])
        lane->result = lane->kind == ALL       ? ones == count
                       : lane->kind == ANY     ? ones > 0
                       : lane->kind == SAME    ? ones == 0 || ones == count
                       : lane->kind == SHUFFLE ? lanes[i ^ lane->with].value
                                               : mask;
    }
    for (now = 0; now < LANES; ++now)
      if (here[now])
        swapcontext(&steps, &lanes[now].context);
  }
}
