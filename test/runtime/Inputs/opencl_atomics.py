"""Atomics of OpenCL C 1.x and of C11, orders and scopes, in each memory."""
from opencl_tables import *
import opencl_tables as tables
rng = np.random.default_rng(11)
N = 1000
full_ = 'full' in sys.argv

jobs = []

def run(area, name, src, args, out, n, want, g, l=None, opts=('-cl-std=CL3.0',), sort=False):
    k = f'k{len(jobs)}'
    jobs.append((k, area, name, src.replace('void k(', f'void {k}('), args, out, n, want, g, l, tuple(opts), sort))

def run_all():
    for opts in sorted({job[10] for job in jobs}):
        mine = [job for job in jobs if job[10] == opts]
        program = cl.Program(ctx, '\n'.join((job[3] for job in mine))).build(list(opts))
        for k, area, name, src, args, out, n, want, g, l, _, sort in mine:
            given = [buf(a) for a in args]
            getattr(program, k)(queue, (g,), None if l is None else (l,), *given)
            got = back(given[out], args[out].dtype, n)
            hold(area, name, np.sort(got) if sort else got, want)
OLD = dict(add=lambda a, b: a + b, sub=lambda a, b: a - b, min=min, max=max, **{'and': lambda a, b: a & b, 'or': lambda a, b: a | b, 'xor': lambda a, b: a ^ b})
for t in ('int', 'uint', 'long', 'ulong'):
    pre = 'atom' if BITS[t] == 64 else 'atomic'
    v = np.array([wrap(int.from_bytes(rng.bytes(8), 'little'), t) for _ in range(N)], dtype=NP[t])
    for op, f in OLD.items():
        init = {'and': -1, 'min': limits(t)[1], 'max': limits(t)[0]}.get(op, 5)
        acc = wrap(init, t)
        for x in v:
            acc = wrap(f(acc, int(x)), t)
        st = np.array([wrap(init, t)] + [0], dtype=NP[t])
        run('atomics', f'{op} global {t}', f'kernel void k(global {t}*r,global const {t}*p){{{pre}_{op}(r,p[get_global_id(0)]);}}', [st, v], 0, 1, np.array([acc], NP[t]), N, opts=['-cl-std=CL1.2'])
        acc = wrap(init, t)
        for x in v[:250]:
            acc = wrap(f(acc, int(x)), t)
        run('atomics', f'{op} local {t}', f'kernel void k(global {t}*r,global const {t}*p){{local {t} s;if(get_local_id(0)==0)s=r[0];barrier(CLK_LOCAL_MEM_FENCE);{pre}_{op}(&s,p[get_global_id(0)]);barrier(CLK_LOCAL_MEM_FENCE);if(get_local_id(0)==0)r[0]=s;}}', [st, v], 0, 1, np.array([acc], NP[t]), 250, 250)
    run('atomics', f'inc {t}', f'kernel void k(global {t}*r,global {t}*o){{o[get_global_id(0)]={pre}_inc(r);}}', [np.zeros(2, NP[t]), np.zeros(N, NP[t])], 1, N, np.arange(N, dtype=NP[t]), N, sort=True)
    run('atomics', f'dec {t}', f'kernel void k(global {t}*r,global {t}*o){{o[get_global_id(0)]={pre}_dec(r);}}', [np.array([N, 0], NP[t]), np.zeros(N, NP[t])], 1, N, np.arange(1, N + 1, dtype=NP[t]), N, sort=True)
    run('atomics', f'xchg {t}', f'kernel void k(global {t}*r,global {t}*o){{o[get_global_id(0)]={pre}_xchg(r,get_global_id(0)+1);if(get_global_id(0)==0);}}', [np.zeros(2, NP[t]), np.zeros(N, NP[t])], 1, 1, np.zeros(1, NP[t]), 1, sort=True)
    run('atomics', f'cmpxchg {t}', f'kernel void k(global {t}*r){{{t} old;do{{old=*(volatile global {t}*)r;}}while({pre}_cmpxchg(r,old,old+2)!=old);}}', [np.array([3, 0], NP[t])], 0, 1, np.array([3 + 2 * N], NP[t]), N)
    A = f'atomic_{t}'
    for sp in ('global', 'local'):
        for gen in (0, 1):
            loc = f'global {A}*s=(global {A}*)r;' if sp == 'global' else f'local {A} sv;local {A}*s=&sv;if(get_local_id(0)==0)atomic_init(s,r[0]);work_group_barrier(CLK_LOCAL_MEM_FENCE);'
            if gen:
                loc += f'{A}*g=s;'
            s = 'g' if gen else 's'
            tail = '' if sp == 'global' else 'work_group_barrier(CLK_LOCAL_MEM_FENCE);if(get_local_id(0)==0)r[0]=atomic_load(s);'
            for op, f in OLD.items():
                init = {'and': -1, 'min': limits(t)[1], 'max': limits(t)[0]}.get(op, 5)
                acc = wrap(init, t)
                for x in v[:250]:
                    acc = wrap(f(acc, int(x)), t)
                for order, scope in (('', ''), ('memory_order_relaxed', ''), ('memory_order_acq_rel', 'memory_scope_device'), ('memory_order_seq_cst', 'memory_scope_work_group'), ('memory_order_release', 'memory_scope_all_devices')):
                    ex = '_explicit' if order else ''
                    a = f',{order}' if order else ''
                    a += f',{scope}' if scope else ''
                    run('c11', f'{op} {sp} {t} {order} {scope} gen{gen}', f'kernel void k(global {t}*r,global const {t}*p){{{loc}atomic_fetch_{op}{ex}({s},p[get_global_id(0)]{a});{tail}}}', [np.array([wrap(init, t), 0], NP[t]), v], 0, 1, np.array([acc], NP[t]), 250, 250)
                    if not full_ and order == 'memory_order_relaxed':
                        break
for t in ('int', 'uint', 'long', 'ulong', 'float', 'double'):
    A = f'atomic_{t}'
    run('c11', f'cas {t}', f'kernel void k(global {t}*r){{global {A}*s=(global {A}*)r;{t} old=atomic_load(s);while(!atomic_compare_exchange_weak(s,&old,old+2));}}', [np.array([3, 0], NP[t])], 0, 1, np.array([3 + 2 * N], NP[t]), N)
    run('c11', f'cas strong {t}', f'kernel void k(global {t}*r){{global {A}*s=(global {A}*)r;{t} old=0;while(!atomic_compare_exchange_strong_explicit(s,&old,old+2,memory_order_acq_rel,memory_order_relaxed,memory_scope_device));}}', [np.array([3, 0], NP[t])], 0, 1, np.array([3 + 2 * N], NP[t]), N)
    run('c11', f'xchg {t}', f'kernel void k(global {t}*r,global {t}*o){{global {A}*s=(global {A}*)r;int i=get_global_id(0);o[i]=atomic_exchange(s,({t})(i+1));if(i==0)atomic_store_explicit((global {A}*)(o+{N}),({t})77,memory_order_release);}}', [np.zeros(2, NP[t]), np.zeros(N + 1, NP[t])], 1, 1, np.zeros(1, NP[t]), N, sort=True)
    run('c11', f'store load {t}', f'kernel void k(global {t}*r){{global {A}*s=(global {A}*)r;atomic_store(s+get_global_id(0),({t})get_global_id(0));r[get_global_id(0)+{N}]=atomic_load_explicit(s+get_global_id(0),memory_order_acquire,memory_scope_work_group);}}', [np.zeros(2 * N, NP[t])], 0, 2 * N, np.concatenate([np.arange(N)] * 2).astype(NP[t]), N)
run('c11', 'flag', 'kernel void k(global int*r){volatile global atomic_flag*f=(volatile global atomic_flag*)(r+1);for(int d=0;!d;){if(!atomic_flag_test_and_set_explicit(f,memory_order_acquire,memory_scope_device)){r[0]++;d=1;atomic_flag_clear_explicit(f,memory_order_release,memory_scope_device);}}}', [np.zeros(4, np.int32)], 0, 1, np.array([64], np.int32), 64, 1)  # no work-item waits for another of its sub-group
run('c11', 'flag local', 'kernel void k(global int*r){local atomic_flag f;local int n;if(get_local_id(0)==0){atomic_flag_clear(&f);n=0;}barrier(CLK_LOCAL_MEM_FENCE);int w=!atomic_flag_test_and_set(&f);r[get_global_id(0)]=w;}', [np.zeros(64, np.int32)], 0, 64, np.array([0] * 63 + [1], np.int32), 64, 64, sort=True)
run('c11', 'program scope', 'global atomic_int c=ATOMIC_VAR_INIT(5);global atomic_long d;kernel void k(global int*r){atomic_fetch_add(&c,1);atomic_fetch_add(&d,2L);if(get_global_id(0)==0)atomic_fetch_add((global atomic_int*)r,1);}\nkernel void l(global int*r){}', [np.zeros(4, np.int32)], 0, 1, np.array([1], np.int32), 100)
run('c11', 'intptr etc', 'kernel void k(global long*r){global atomic_size_t*a=(global atomic_size_t*)r;atomic_fetch_add(a,(size_t)3);global atomic_ptrdiff_t*b=(global atomic_ptrdiff_t*)(r+1);atomic_fetch_sub(b,(ptrdiff_t)3);global atomic_intptr_t*c=(global atomic_intptr_t*)(r+2);atomic_fetch_or(c,(intptr_t)8);global atomic_uintptr_t*d=(global atomic_uintptr_t*)(r+3);atomic_fetch_max(d,(uintptr_t)9);}', [np.zeros(4, np.int64)], 0, 4, np.array([3, -3, 8, 9], np.int64), 1)
run('fence', 'message passing', 'kernel void k(global int*r){global atomic_int*f=(global atomic_int*)(r+1);if(get_group_id(0)==0){if(get_local_id(0)==0){r[0]=42;atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,memory_order_release,memory_scope_device);atomic_store_explicit(f,1,memory_order_relaxed,memory_scope_device);}}else if(get_local_id(0)==0){while(!atomic_load_explicit(f,memory_order_acquire,memory_scope_device));r[2]=r[0];}}', [np.zeros(4, np.int32)], 0, 3, np.array([42, 1, 42], np.int32), 64, 32)
for t in ('float', 'int', 'uint'):
    run('atomics', f'old xchg {t}', f'kernel void k(volatile global {t}*r){{r[1]=atomic_xchg(r,({t})7);}}', [np.array([3, 0], NP[t])], 0, 2, np.array([7, 3], NP[t]), 1, opts=['-cl-std=CL1.1'])
run_all()
end()
