"""opencl_printf.py FOLDER: printf in kernels against C's."""
import subprocess, sys, os
import random
random.seed(3)
cases = []

def c(f, a, cf=None, ca=None):
    cases.append((f, a, cf or f, ca if ca is not None else a))
for f in '%d|%i|%5d|%-5d|%05d|%+d|% d|%.3d|%10.4d|%-10.4d|%+5d'.split('|'):
    for a in ('10', '-10', '0', '2147483647', '-2147483647-1'):
        c(f, a)
for f in '%u|%o|%x|%X|%#o|%#x|%#X|%08x|%-8x|%.5x|%#.5o|%10u'.split('|'):
    for a in ('10u', '0u', '4294967295u'):
        c(f, a)
for f in '%hd|%hhd|%hu|%hhu|%hx|%hhx'.split('|'):
    for a in ('(short)-3', '(char)-3', '200', '70000'):
        c(f, '(int)' + a if 0 else a)
for f in '%ld|%li|%lu|%lx|%lo|%20ld|%-20ld|%+ld'.split('|'):
    for a in ('-1l', '1234567890123l', '0l', '0x7fffffffffffffffl'):
        c(f, a)
for f in '%f|%e|%g|%E|%G|%F|%a|%A|%.0f|%#.0f|%.3f|%10.2f|%-10.2f|%+f|% f|%010.3f|%.10g|%#g|%.0e|%.2a|%12.4e|%.20f'.split('|'):
    for a in ('1.0f', '-1.5f', '0.1f', '123456.789f', '1e-10f', '1e30f', '0.0f', '-0.0f', 'INFINITY', '-INFINITY', 'NAN', '100.0f', '0.5f'):
        c(f, a)
for a in ('3.141592653589793', '1e300', '-2.5e-300'):
    for f in ('%f', '%g', '%.17g', '%a', '%e'):
        c(f, a)
for f in ('%c', '%5c', '%-5c'):
    for a in ("'a'", "'%'", '65'):
        c(f, a)
for f, a in (('%s', '"hello"'), ('%10s', '"hello"'), ('%-10s|', '"hello"'), ('%.3s', '"hello"'), ('%s', '""'), ('%%', ''), ('100%% %d', '5'), ('%s %s', '"a","b"'), ('%*d' if 0 else '%3d%%', '7'), ('tab\\t%d', '1'), ('q\\"%d\\"', '1'), ('no args', ''), ('%d %f %s %c %x', '1,2.5f,"s",\'c\',255u')):
    c(f, a)

def v(f, a, n, el, cf):
    c(f, a, ','.join([cf] * n), el)
v('%v4d', '(int4)(1,-2,3,4)', 4, '1,-2,3,4', '%d')
v('%v4hld', '(int4)(1,-2,3,4)', 4, '1,-2,3,4', '%d')
v('%v2hld', '(int2)(7,8)', 2, '7,8', '%d')
v('%v3d', '(int3)(1,2,3)', 3, '1,2,3', '%d')
v('%v4hlf', '(float4)(1.5f,2,-3,4)', 4, '1.5,2.0,-3.0,4.0', '%f')
v('%v2lf', '(double2)(1.5,2)', 2, '1.5,2.0', '%f')
v('%v8hhx', '(uchar8)(1,2,3,4,5,6,255,8)', 8, '1,2,3,4,5,6,255,8', '%x')
v('%v4hd', '(short4)(1,-2,3,4)', 4, '1,-2,3,4', '%d')
v('%v4hhd', '(char4)(1,-2,3,4)', 4, '1,-2,3,4', '%d')
v('%v2ld', '(long2)(-1,5000000000l)', 2, '-1l,5000000000l', '%ld')
v('%v16hhu', '(uchar16)(9)', 16, ','.join(['9'] * 16), '%u')
v('%#v4hhx', '(uchar4)(1,2,3,4)', 4, '1,2,3,4', '%#x')
v('%5.2v4hlf', '(float4)(1,2,3,4)', 4, '1.0,2.0,3.0,4.0', '%5.2f')
v('%v4hlg', '(float4)(1,2,3,4)', 4, '1.0,2.0,3.0,4.0', '%g')
v('%+v2hld', '(int2)(1,2)', 2, '1,2', '%+d')
v('%v2hle', '(float2)(1,2)', 2, '1.0,2.0', '%e')
src = ''.join(('kernel void k%d(){printf("%s\\n"%s);}\n' % (i, f, ',' + a if a else '') for i, (f, a, _, _) in enumerate(cases)))
ref = '#include <stdio.h>\n#include <math.h>\nint main(){' + ''.join(('printf("%s\\n"%s);' % (cf, ',' + ca if ca else '') for _, _, cf, ca in cases)) + '}'
folder = sys.argv[1]
open(f'{folder}/host.c', 'w').write(ref)
subprocess.run(['clang-22', '-w', f'{folder}/host.c', '-o', f'{folder}/host', '-lm'], check=True)
want = subprocess.run([f'{folder}/host'], capture_output=True, text=True).stdout.split('\n')[:-1]
if len(sys.argv) > 2:
    import pyopencl as cl
    ctx = cl.create_some_context(interactive=False)
    q = cl.CommandQueue(ctx)
    p = cl.Program(ctx, src).build('-cl-std=CL1.2')
    for i in range(len(cases)):
        getattr(p, f'k{i}')(q, (1,), None)
    q.finish()
else:
    r = subprocess.run([sys.executable, __file__, folder, 'run'], capture_output=True, text=True)
    got = r.stdout.split('\n')[:-1]
    if len(got) != len(want):
        print('lines', len(got), len(want), r.stderr[-800:])
    w = 0
    for (f, a, _, _), g, x in zip(cases, got, want):
        if g != x and (not g.replace('-nan', 'nan') == x.replace('-nan', 'nan')):
            w += 1
            print('WRONG', f, a, repr(g), repr(x))
    print(len(cases), 'printf cases:', w, 'wrong')
