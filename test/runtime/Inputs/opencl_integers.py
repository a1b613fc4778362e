"""Integer functions and operators of every type and width against Python's integers. `full`: all widths."""
from opencl_tables import *
import opencl_tables as tables
rng = np.random.default_rng(3)

def pad(l, m=48):
    l = list(l)
    while len(l) % m:
        l.append(l[len(l) % 7])
    return l
import itertools
full = len(sys.argv) > 1 and sys.argv[1] == 'full'
wi = 0

def widths():
    global wi
    if full:
        return WIDTHS
    wi += 1
    return [WIDTHS[wi % 6], WIDTHS[(wi * 5 + 2) % 6]]
U = {'char': 'uchar', 'short': 'ushort', 'int': 'uint', 'long': 'ulong'}

def un(t):
    return U.get(t, t)

def clz(v, b):
    return b - (v & (1 << b) - 1).bit_length()

def ctz(v, b):
    v &= (1 << b) - 1
    return b if v == 0 else (v & -v).bit_length() - 1

def sat(v, t):
    lo, hi = limits(t)
    return min(max(v, lo), hi)

def tdiv(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q
for t in INTS:
    B = Batch()
    b = BITS[t]
    lo, hi = limits(t)
    va = values(t, rng, 20)
    pairs = pad(itertools.product(va, va))
    A = [p[0] for p in pairs]
    Bb = [p[1] for p in pairs]
    C = [va[(i * 7 + 3) % len(va)] for i in range(len(pairs))]
    arr = [np.array(x, dtype=NP[t]) for x in (A, Bb, C)]

    def one(n, rt, f, expr=None, ok=None):
        for w in widths():
            B.add('integer', f'{n} {t}{w}', rt, w, expr or f'{n}(a)', [t], arr[:1], [f(x) for x in A], ok and [ok(x) for x in A])

    def two(n, rt, f, expr=None, ok=None):
        okl = ok and [ok(x, y) for x, y in zip(A, Bb)]
        for w in widths():
            B.add('integer', f'{n} {t}{w}', rt, w, expr or f'{n}(a,b)', [t, t], arr[:2], [f(x, y) if not ok or okl[i] else 0 for i, (x, y) in enumerate(zip(A, Bb))], okl)

    def three(n, rt, f, expr=None, ok=None):
        for w in widths():
            B.add('integer', f'{n} {t}{w}', rt, w, expr or f'{n}(a,b,c)', [t, t, t], arr, [f(x, y, z) for x, y, z in zip(A, Bb, C)], ok and [ok(x, y, z) for x, y, z in zip(A, Bb, C)])
    one('abs', un(t), abs)
    two('abs_diff', un(t), lambda x, y: abs(x - y))
    two('add_sat', t, lambda x, y: sat(x + y, t))
    two('sub_sat', t, lambda x, y: sat(x - y, t))
    two('hadd', t, lambda x, y: x + y >> 1)
    two('rhadd', t, lambda x, y: x + y + 1 >> 1)
    one('clz', t, lambda x: clz(x, b))
    one('ctz', t, lambda x: ctz(x, b))
    one('popcount', t, lambda x: bin(x & (1 << b) - 1).count('1'))
    two('max', t, max)
    two('min', t, min)
    three('clamp', t, lambda x, y, z: min(max(x, y), z), ok=lambda x, y, z: y <= z)
    two('mul_hi', t, lambda x, y: x * y >> b)
    three('mad_hi', t, lambda x, y, z: wrap((x * y >> b) + z, t))
    three('mad_sat', t, lambda x, y, z: sat(x * y + z, t))

    def rot(x, y):
        y %= b
        x &= (1 << b) - 1
        return wrap(x << y | x >> b - y, t)
    two('rotate', t, rot)
    if b < 64:
        wt = {'char': 'short', 'uchar': 'ushort', 'short': 'int', 'ushort': 'uint', 'int': 'long', 'uint': 'ulong'}[t]
        for w in widths():
            low = np.array(Bb, dtype=NP[t]).astype(NP[un(t)]) if signed(t) else arr[1]
            B.add('integer', f'upsample {t}{w}', wt, w, 'upsample(a,b)', [t, un(t)], [arr[0], low], [wrap(x << b | int(y), wt) for x, y in zip(A, low)])
    if b == 32:
        l24 = (lambda x: -(1 << 23) <= x < 1 << 23) if signed(t) else lambda x: 0 <= x < 1 << 24
        two('mul24', t, lambda x, y: wrap(x * y, t), ok=lambda x, y: l24(x) and l24(y))
        three('mad24', t, lambda x, y, z: wrap(x * y + z, t), ok=lambda x, y, z: l24(x) and l24(y))
    for op, f in (('+', lambda x, y: x + y), ('-', lambda x, y: x - y), ('*', lambda x, y: x * y), ('&', lambda x, y: x & y), ('|', lambda x, y: x | y), ('^', lambda x, y: x ^ y)):
        two(op, t, lambda x, y, f=f: wrap(f(x, y), t), expr=f'a{op}b')
    okd = lambda x, y: y != 0 and (not (signed(t) and x == lo and (y == -1)))
    two('/', t, lambda x, y: tdiv(x, y), expr='a/b', ok=okd)
    two('%', t, lambda x, y: x - y * tdiv(x, y), expr='a%b', ok=okd)
    for w in widths():
        nb = 32 if b < 32 and w == 1 else b
        B.add('integer', f'<< {t}{w}', t, w, 'a<<b', [t, t], arr[:2], [wrap(x << y % nb, t) for x, y in zip(A, Bb)])
        B.add('integer', f'>> {t}{w}', t, w, 'a>>b', [t, t], arr[:2], [wrap(x >> y % nb, t) for x, y in zip(A, Bb)])
        rt = {8: 'char', 16: 'short', 32: 'int', 64: 'long'}[b] if w > 1 else 'int'
        tr = -1 if w > 1 else 1
        for op, f in (('<', lambda x, y: x < y), ('<=', lambda x, y: x <= y), ('>', lambda x, y: x > y), ('>=', lambda x, y: x >= y), ('==', lambda x, y: x == y), ('!=', lambda x, y: x != y), ('&&', lambda x, y: x != 0 and y != 0), ('||', lambda x, y: x != 0 or y != 0)):
            B.add('integer', f'{op} {t}{w}', rt, w, f'a{op}b', [t, t], arr[:2], [tr * int(f(x, y)) for x, y in zip(A, Bb)])
        B.add('integer', f'! {t}{w}', rt, w, '!a', [t], arr[:1], [tr * int(x == 0) for x in A])
        B.add('integer', f'~ {t}{w}', t, w, '~a', [t], arr[:1], [wrap(~x, t) for x in A])
        B.add('integer', f'neg {t}{w}', t, w, '-a', [t], arr[:1], [wrap(-x, t) for x in A])
        B.add('integer', f'++ {t}{w}', t, w, '++a', [t], arr[:1], [wrap(x + 1, t) for x in A])
        B.add('integer', f'?: {t}{w}', t, w, 'a<b?a:c', [t, t, t], arr, [x if x < y else z for x, y, z in zip(A, Bb, C)])
        B.add('integer', f'|= {t}{w}', t, w, '(a|=b,a-=c,a)', [t, t, t], arr, [wrap((x | y) - z, t) for x, y, z in zip(A, Bb, C)])
        for st_ in {8: ('char', 'uchar'), 16: ('short', 'ushort'), 32: ('int', 'uint'), 64: ('long', 'ulong')}[b]:
            cc = np.array([wrap(z, st_) for z in C], dtype=NP[st_])
            B.add('select', f'select {t}{w} {st_}', t, w, 'select(a,b,c)', [t, t, st_], [arr[0], arr[1], cc], [y if (int(z) != 0 if w == 1 else int(z) >> b - 1 & 1) else x for x, y, z in zip(A, Bb, cc)])
        B.add('relational', f'bitselect {t}{w}', t, w, 'bitselect(a,b,c)', [t, t, t], arr, [wrap(x & ~z | y & z, t) for x, y, z in zip(A, Bb, C)])
        if signed(t):
            m = [int(x >> b - 1 & 1) for x in A]
            g = [m[i // w * w:i // w * w + w] for i in range(len(m))]
            B.add('relational', f'any {t}{w}', 'int', w, f"({V('int', w)})any(a)", [t], arr[:1], [int(any(x)) for x in g])
            B.add('relational', f'all {t}{w}', 'int', w, f"({V('int', w)})all(a)", [t], arr[:1], [int(all(x)) for x in g])
    B.run()
end()
