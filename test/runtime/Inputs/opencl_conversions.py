"""Every conversion with every rounding and saturation against exact fractions. `full`: all widths."""
from opencl_tables import *
import math
rng = np.random.default_rng(5)
def fvals(t):
    d, least, most = FM[t]
    v = [0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999, -0.49999, 0.50001, 0.99999, -0.99999, 3.5, 126.5, 127, 127.5, 128, -128, -128.5, -129, 254.5, 255, 255.5, 256, 32767, 32767.5, 32768, -32768, -32768.5, 65504, 65505, 65519, 65520, 65535, 65535.5, 65536, 2147483647.0, 2147483647.5, 2147483648.0, -2147483648.0, -2147483648.5, 4294967295.0, 4294967295.5, 4294967296.0, 9.2e+18, 9.223372036854776e+18, -9.223372036854776e+18, 1.8446744073709552e+19, 1.8e+19, 1e+30, -1e+30, 1e+300, 3.4028234e+38, 3.40282357e+38, 3.4028235677973366e+38, 3.5e+38, 1e-40, 1.5e-45, 7e-46, 2.1e-45, 1e-320, -1e-41, 5.9e-08, 2.9e-08, 3e-08, 6.1e-05, 6e-05, 1 + 2 ** (-11), 1 + 2 ** (-12), 1 + 2 ** (-24), 1 + 2 ** (-24) + 2 ** (-40), 1 + 3 * 2 ** (-24), 1 + 3 * 2 ** (-11), math.inf, -math.inf, math.nan]
    for k in range(70):
        v.append(float((rng.random() - 0.5) * 2.0 ** int(rng.integers(-30, 66))))
    while len(v) % 48:
        v.append(float(rng.normal()))
    with np.errstate(all='ignore'):
        return np.array(v).astype(NP[t])

def ivals(t):
    v = values(t, rng, 144)
    for i, x in enumerate([16777215, 16777216, 16777217, 16777219, 33554433, 33554435, 9007199254740992, 9007199254740993, 9007199254740995, 2049, 2051, 65519, 65520, 2 ** 62 + 1, 2 ** 63 - 513, 2 ** 63 - 512]):
        if limits(t)[0] <= x <= limits(t)[1]:
            v[20 + i] = x
    return np.array(v, dtype=NP[t])
full = len(sys.argv) > 1 and sys.argv[1] == 'full'
k = 0
for s in INTS + FLOATS:
    src = ivals(s) if s in INTS else fvals(s)
    ex = [None if s in FLOATS and (not np.isfinite(x)) else (int(x), 1) if s in INTS else float(x).as_integer_ratio() for x in src]
    B = Batch()
    for d in INTS + FLOATS:
        for sat_ in ('', '_sat'):
            if sat_ and d in FLOATS:
                continue
            for mode in ('', '_rte', '_rtz', '_rtp', '_rtn'):
                m = mode[1:] or ('rtz' if d in INTS else 'rte')
                want = []
                ok = []
                for x, e in zip(src, ex):
                    o = True
                    if d in INTS:
                        lo, hi = limits(d)
                        if e is None:
                            o = bool(sat_)
                            r = 0 if np.isnan(x) else hi if x > 0 else lo
                        else:
                            r = round_int(*e, m)
                            if sat_:
                                r = min(max(r, lo), hi)
                            elif s in INTS:
                                r = wrap(r, d)
                            elif not lo <= r <= hi:
                                o = False
                                r = 0
                    elif e is None:
                        r = float(x)
                    else:
                        r = to_float(*e, m, d)
                        if r == 0 and s in FLOATS and np.signbit(x):
                            r = -0.0
                    want.append(r)
                    ok.append(o)
                k += 1
                for w in WIDTHS if full else [WIDTHS[k % 6]]:
                    B.add('conversions', f'convert_{d}{w}{sat_}{mode} of {s}', d, w, f'convert_{V(d, w)}{sat_}{mode}(a)', [s], [src], want, ok)
        if s != d:
            want = []
            ok = []
            for x, e in zip(src, ex):
                if d in INTS:
                    lo, hi = limits(d)
                    r = round_int(*e, 'rtz') if e else 0
                    o = e is not None
                    if s in INTS:
                        r = wrap(r, d)
                    elif not lo <= r <= hi:
                        o = False
                        r = 0
                else:
                    r = float(x) if e is None else to_float(*e, 'rte', d)
                    o = True
                    r = -0.0 if r == 0 and s in FLOATS and np.signbit(x) else r
                want.append(r)
                ok.append(o)
            B.add('conversions', f'({d}) of {s}', d, 1, f'({d})a', [s], [src], want, ok)
        if BITS[s] == BITS[d]:
            w = WIDTHS[k % 6]
            B.add('as_type', f'as_{d}{w} of {s}', d, w, f'as_{V(d, w)}(a)', [s], [src], src.view(NP[d]))
    B.run()
end()
