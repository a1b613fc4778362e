"""OpenCL C's functions over tables of values, run through pyopencl; each script counts what is other than its reference."""
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
os.environ.setdefault('PYOPENCL_NO_CACHE', '1')
import pyopencl as cl
ctx = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(ctx)
NP = dict(char=np.int8, uchar=np.uint8, short=np.int16, ushort=np.uint16, int=np.int32, uint=np.uint32, long=np.int64, ulong=np.uint64, half=np.float16, float=np.float32, double=np.float64)
INTS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong']
FLOATS = ['half', 'float', 'double']
BITS = {t: NP[t]().itemsize * 8 for t in NP}
WIDTHS = [1, 2, 3, 4, 8, 16]

def signed(t):
    return not t.startswith('u')

def limits(t):
    b = BITS[t]
    return (-(1 << b - 1), (1 << b - 1) - 1) if signed(t) else (0, (1 << b) - 1)

def wrap(v, t):
    b = BITS[t]
    v &= (1 << b) - 1
    return v - (1 << b) if signed(t) and v >> b - 1 else v

def values(t, rng, n=40):
    lo, hi = limits(t)
    s = [0, 1, 2, 3, 7, hi, hi - 1, lo, lo + 1, hi // 2, hi // 2 + 1, hi // 3] + ([-1, -2, -3, lo // 2, -hi // 2] if signed(t) else [])
    while len(s) < n:
        k = int(rng.integers(0, BITS[t]))
        v = int.from_bytes(rng.bytes(8), 'little') >> 63 - k
        s.append(wrap(v, t))
    return [wrap(v, t) for v in s]
# Digits, the exponent of the least number, and the first exponent that is too large.
FM = {'half': (11, -24, 16), 'float': (24, -149, 128), 'double': (53, -1074, 1024)}

def round_int(num, den, mode):
    q, r = divmod(num, den)
    if r == 0 or mode == 'rtn':
        return q
    if mode == 'rtp':
        return q + 1
    if mode == 'rtz':
        return q if num >= 0 else q + 1
    return q + (2 * r > den or (2 * r == den and q & 1))

def to_float(num, den, mode, t):
    digits, least, most = FM[t]
    if num == 0:
        return 0.0
    neg = num < 0
    num = abs(num)
    m = {'rtp': 'rtn', 'rtn': 'rtp'}.get(mode, mode) if neg else mode
    e = num.bit_length() - den.bit_length()
    while num < (den << e if e >= 0 else 0) or (e < 0 and num << -e < den):
        e -= 1
    while num >= den << e + 1 if e + 1 >= 0 else num << -(e + 1) >= den:
        e += 1
    place = max(e - digits + 1, least)
    n = round_int(num << max(-place, 0), den << max(place, 0), m)
    if n and n.bit_length() + place > most:
        v = math.inf if m in ('rte', 'rtp') else math.ldexp((1 << digits) - 1, most - digits)
    else:
        v = math.ldexp(n, place)
    return -v if neg else v
counts = {}
wrong = 0

def hold(area, name, got, want, args=None, ok=None):
    """Compares arrays; ok: where."""
    global wrong
    got = np.asarray(got)
    want = np.asarray(want)
    if got.dtype.kind == 'f':
        same = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
    else:
        same = got == want
    if ok is not None:
        same = same | ~np.asarray(ok)
    counts[area] = counts.get(area, 0) + 1
    if not same.all():
        wrong += 1
        i = int(np.flatnonzero(~same.ravel())[0])
        print(f"WRONG {area} {name}: at {i} {([a.ravel()[i] for a in args] if args else '')} got {got.ravel()[i]!r} want {want.ravel()[i]!r} ({(~same).sum()} of {same.size})", flush=True)

def build_from_spir(src, opts):
    """By way of clang's IR for SPIR, as SPIR-V becomes: LENO_TEST_SPIR holds clang and leno-cc."""
    clang, leno_cc = os.environ['LENO_TEST_SPIR'].split()
    with tempfile.TemporaryDirectory() as folder:
        with open(f'{folder}/k.cl', 'w') as file:
            file.write(src)
        subprocess.run([clang, '-target', 'spir64', '-x', 'cl', '-cl-std=CL3.0', '-O1', '-w', '-Xclang', '-disable-llvm-passes',
                        '-emit-llvm', '-c', *opts, f'{folder}/k.cl', '-o', f'{folder}/k.bc'], check=True)
        subprocess.run([leno_cc, '--host-words', f'{folder}/k.bc', '-o', f'{folder}/k'], check=True)
        with open(f'{folder}/k', 'rb') as file:
            return cl.Program(ctx, ctx.devices, [file.read()]).build()

def build(src, opts=[]):
    if 'LENO_TEST_SPIR' in os.environ:
        return build_from_spir(src, opts)
    return cl.Program(ctx, src).build(['-cl-std=CL3.0'] + opts)

def buf(a):
    return cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.ascontiguousarray(a))

def back(b, dtype, n):
    r = np.empty(n, dtype)
    cl.enqueue_copy(queue, r, b)
    return r

def V(t, w):
    return t if w == 1 else f'{t}{w}'

def ld(t, w, p):
    return f'{p}[i]' if w == 1 else f'vload{w}(i,{p})'

def st(w, v, p):
    return f'{p}[i]={v};' if w == 1 else f'vstore{w}({v},i,{p});'

class Batch:
    """Kernels r=f(a,b,c) elementwise; built together."""

    def __init__(self, opts=[]):
        self.src = ''
        self.jobs = []
        self.opts = opts

    def add(self, area, name, rt, w, expr, ats, arrays, want, ok=None, rw=None):
        k = f'k{len(self.jobs)}'
        n = len(arrays[0])
        self.src += f'kernel void {k}(global {rt}*r' + ''.join((f',global const {t}*p{j}' for j, t in enumerate(ats))) + '){size_t i=get_global_id(0);'
        for j, t in enumerate(ats):
            self.src += f"{V(t, w)} {'abcd'[j]}={ld(t, w, f'p{j}')};"
        self.src += f"{V(rt, w)} x={expr};{st(w, 'x', 'r')}}}\n"
        self.jobs.append((k, area, name, rt, w, arrays, want, ok))

    def run(self):
        if not self.jobs:
            return
        global wrong
        try:
            prg = build('#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n' + self.src, self.opts)
        except Exception as e:
            wrong += 1
            print('BUILD', self.jobs[0][1], str(e)[:3000])
            return
        for k, area, name, rt, w, arrays, want, ok in self.jobs:
            n = len(arrays[0])
            assert n % 48 == 0, n
            bs = [buf(a) for a in arrays]
            r = buf(np.zeros(n, NP[rt]))
            try:
                getattr(prg, k)(queue, (n // w,), None, r, *bs)
                got = back(r, NP[rt], n)
            except Exception as e:
                wrong += 1
                print('RUN', area, name, e)
                continue
            hold(area, name, got, np.array(want, dtype=NP[rt]), arrays, ok)
        self.jobs = []
        self.src = ''

def end():
    print(', '.join((f'{v} {k}' for k, v in counts.items())) + ':', wrong, 'wrong')
