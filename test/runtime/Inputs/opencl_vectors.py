"""vloadn, vstoren and shuffles in each memory; halves stored with every rounding."""
from opencl_tables import *
import opencl_tables as tables
rng = np.random.default_rng(9)
full = 'full' in sys.argv
fin = lambda n, t: np.array(rng.normal(0, 10, n), dtype=NP[t])

def check(area, name, src, kernel, out_t, n, bufs, want, gsize=1, lsize=None, ok=None):
    try:
        prg = build('#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n' + src)
    except Exception as e:
        tables.wrong += 1
        print('BUILD', area, name, str(e)[:1500])
        return
    r = buf(np.zeros(n, NP[out_t]))
    try:
        getattr(prg, kernel)(queue, (gsize,) if np.isscalar(gsize) else gsize, None if lsize is None else (lsize,) if np.isscalar(lsize) else lsize, r, *[buf(b) if isinstance(b, np.ndarray) else b for b in bufs])
        got = back(r, NP[out_t], n)
    except Exception as e:
        tables.wrong += 1
        print('RUN', area, name, e)
        return
    hold(area, name, got, want, ok=ok)
for t in INTS + FLOATS:
    src = ''
    jobs = []
    data = rng.integers(0, 256, 64 * BITS[t] // 8, dtype=np.uint8).view(NP[t]) if t in INTS else fin(64, t)
    cst = ','.join((('%dL' % int(x) if t == 'long' and x != -2 ** 63 else '%dUL' % int(x) if t == 'ulong' else str(int(x))) if t in INTS else float(x).hex() + ('f' if t != 'double' else '') for x in data))
    src += f'constant {t} table[64]={{{cst}}};\n'
    for w in WIDTHS[1:]:
        for sp in ('global', 'local', 'private', 'constant'):
            k = f'v_{sp}_{w}'
            ini = {'global': f'global const {t}*s=p;', 'constant': f'constant {t}*s=table;', 'local': f'local {t} s[64];for(int j=0;j<64;++j)s[j]=p[j];barrier(CLK_LOCAL_MEM_FENCE);', 'private': f'{t} s[64];for(int j=0;j<64;++j)s[j]=p[j];'}[sp]
            src += f'kernel void {k}(global {t}*r,global const {t}*p){{{ini}'
            for o in range(0, 2):
                src += f'{t}{w} x{o}=vload{w}({o}+1,s+{o});vstore{w}(x{o},{o},r+{o * 3});'
            src += '}\n'
            want = np.zeros(64, NP[t])
            for o in range(2):
                want[o * w + o * 3:o * w + o * 3 + w] = data[(o + 1) * w + o:(o + 1) * w + o + w]
            jobs.append((k, want, w, sp))
            if sp in ('local', 'private'):
                k = f's_{sp}_{w}'
                src += f'kernel void {k}(global {t}*r,global const {t}*p){{{sp} {t} s[64];for(int j=0;j<64;++j)s[j]=0;'
                for o in range(2):
                    src += f'vstore{w}(vload{w}({o},p+{o}),{o}+1,s+{o});'
                src += 'for(int j=0;j<64;++j)r[j]=s[j];}\n'
                want = np.zeros(64, NP[t])
                for o in range(2):
                    want[(o + 1) * w + o:(o + 1) * w + o + w] = data[o * w + o:o * w + o + w]
                jobs.append((k, want, w, sp))
    mt = {8: 'uchar', 16: 'ushort', 32: 'uint', 64: 'ulong'}[BITS[t]]
    for w in (2, 4, 8, 16):
        for m in (2, 4, 8, 16):
            mask = rng.integers(0, 2 * w, m)
            k = f'sh_{w}_{m}'
            ms = '(' + f'{mt}{m})(' + ','.join(map(str, mask)) + ')'
            src += f'kernel void {k}(global {t}*r,global const {t}*p){{{t}{w} a=vload{w}(0,p),b=vload{w}(1,p);vstore{m}(shuffle(a,{ms}),0,r);vstore{m}(shuffle2(a,b,{ms}),1,r);{mt}{m} q;for(int j=0;j<{m};++j)(({mt}*)&q)[j]=convert_{mt}(j*7);vstore{m}(shuffle2(a,b,q),2,r);}}\n'
            want = np.zeros(64, NP[t])
            want[:m] = data[mask % w]
            want[m:2 * m] = data[mask]
            want[2 * m:3 * m] = data[[j * 7 % (2 * w) for j in range(m)]]
            jobs.append((k, want, w, 'shuffle'))
    try:
        prg = build('#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n' + src)
    except Exception as e:
        tables.wrong += 1
        print('BUILD vload', t, str(e)[:1500])
        continue
    for k, want, w, sp in jobs:
        r = buf(np.zeros(64, NP[t]))
        p = buf(data)
        try:
            getattr(prg, k)(queue, (1,), None, r, p)
            hold('vload/vstore/shuffle', f'{k} {t}', back(r, NP[t], 64), want)
        except Exception as e:
            tables.wrong += 1
            print('RUN', k, t, e)
h = np.array([0, 1, -1, 65504, 6e-08, -6e-08, 0.1, 0.333, 2049, np.inf, -np.inf, np.nan, 1.5, 2.5, -7.25, 1e-05] * 2, np.float16)
for w in WIDTHS:
    W = '' if w == 1 else str(w)
    for a in ('', 'a'):
        st_ = 4 if w == 3 and a else w
        n = 32 // st_ if w != 3 or a else 10
        src = f'kernel void k(global float*r,global const half*p){{int i=get_global_id(0);' + (f'r[i]=vload{a}_half(i,p);' if w == 1 else f'vstore{w}(vload{a}_half{w}(i,p),i,r);') + '}'
        if w == 1 and a:
            continue
        want = np.concatenate([h[i * st_:i * st_ + w] for i in range(n)]).astype(np.float32)
        check('half', f'vload{a}_half{W}', src, 'k', 'float', n * w, [h], want, n)
        for ft in ('float', 'double') if w in (1, 3) else ('float',):
            v = np.array([0, -0.0, 1, -1, 65504, 65519, 65520, 65535, 1000000.0, -1000000.0, 6e-08, 2.9e-08, 3e-08, -3e-08, 1 + 2 ** (-11), 1 + 3 * 2 ** (-11), 1 + 2 ** (-11) + 2 ** (-20), -1 - 2 ** (-11), 0.1, 0.3, -0.7, 2049, 2051, 1e-05, 6.1e-05, 6.09e-05, np.inf, -np.inf, np.nan, 4.5, 7.7, 1e-09], NP[ft])
            for mode in ('', '_rte', '_rtz', '_rtp', '_rtn'):
                src = f'kernel void k(global half*r,global const {ft}*p){{int i=get_global_id(0);' + (f'vstore_half{mode}(p[i],i,r);' if w == 1 else f'vstore{a}_half{w}{mode}(vload{w}(i,p),i,r);') + '}'
                m = mode[1:] or 'rte'
                want = np.zeros(n * st_, np.float16)
                for i in range(n):
                    for j in range(w):
                        x = float(v[i * w + j])
                        want[i * st_ + j] = x if not np.isfinite(x) or x == 0 else to_float(*x.as_integer_ratio(), m, 'half')
                check('half', f'vstore{a}_half{W}{mode} {ft}', src, 'k', 'half', n * st_, [v], want, n)
end()
