"""Collectives and shuffles of work-groups and sub-groups, of full and of partial ones."""
from opencl_tables import *
import opencl_tables as tables
rng = np.random.default_rng(21)
P = '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n'
T = ['int', 'uint', 'long', 'ulong', 'half', 'float', 'double']
SH = ['char', 'uchar', 'short', 'ushort'] + T
shapes = [((64,), (64,)), ((96,), (33,)), ((70,), (35,)), ((21, 10, 6), (7, 5, 3)), ((40, 4), (20, 2)), ((1,), (1,)), ((512,), (256,))]
shapes = [(g, l) for g, l in shapes if all((a % b == 0 for a, b in zip(g, l)))]

def lidx(g, l):
    """For each global linear id: (group, local linear id)"""
    g3 = list(g) + [1] * (3 - len(g))
    l3 = list(l) + [1] * (3 - len(l))
    out = []
    for z in range(g3[2]):
        for y in range(g3[1]):
            for x in range(g3[0]):
                gr = (z // l3[2] * (g3[1] // l3[1]) + y // l3[1]) * (g3[0] // l3[0]) + x // l3[0]
                ll = (z % l3[2] * l3[1] + y % l3[1]) * l3[0] + x % l3[0]
                out.append((gr, ll))
    return out
src = P
for t in T:
    for fam in ('work_group', 'sub_group'):
        for op in ('add', 'min', 'max'):
            for k in ('reduce', 'scan_inclusive', 'scan_exclusive'):
                src += f'kernel void {fam}_{k}_{op}_{t}(global {t}*r,global const {t}*p){{size_t i=get_global_linear_id();r[i]={fam}_{k}_{op}(p[i]);}}\n'
    src += f'kernel void wb_{t}(global {t}*r,global const {t}*p,int x,int y,int z){{size_t i=get_global_linear_id();r[i]=get_work_dim()==1?work_group_broadcast(p[i],x):get_work_dim()==2?work_group_broadcast(p[i],x,y):work_group_broadcast(p[i],x,y,z);}}\n'
    src += f'kernel void sb_{t}(global {t}*r,global const {t}*p,int x){{size_t i=get_global_linear_id();r[i]=sub_group_broadcast(p[i],x);}}\n'
for t in SH:
    src += f'kernel void ss_{t}(global {t}*r,global const {t}*p){{size_t i=get_global_linear_id();r[4*i]=sub_group_shuffle(p[i],(get_sub_group_local_id()*7+1)%32);r[4*i+1]=sub_group_shuffle_xor(p[i],5);r[4*i+2]=get_sub_group_local_id()>=3?sub_group_shuffle_up(p[i],3):sub_group_shuffle_up(p[i],3)*0;r[4*i+3]=sub_group_shuffle_down(p[i],2);}}\n'.replace('get_sub_group_local_id()>=3?sub_group_shuffle_up(p[i],3):sub_group_shuffle_up(p[i],3)*0', 'sub_group_shuffle_up(p[i],3)')
src += 'kernel void anyall(global int*r,global const int*p){size_t i=get_global_linear_id();r[4*i]=work_group_any(p[i])!=0;r[4*i+1]=work_group_all(p[i])!=0;r[4*i+2]=sub_group_any(p[i])!=0;r[4*i+3]=sub_group_all(p[i])!=0;}\nkernel void ids(global uint*r){size_t i=get_global_linear_id();r[8*i]=get_sub_group_size();r[8*i+1]=get_max_sub_group_size();r[8*i+2]=get_num_sub_groups();r[8*i+3]=get_enqueued_num_sub_groups();r[8*i+4]=get_sub_group_id();r[8*i+5]=get_sub_group_local_id();r[8*i+6]=get_local_linear_id();r[8*i+7]=get_enqueued_local_size(0);}\n'
prg = build(src)

def go(name, t, g, l, args, n):
    r = buf(np.zeros(n, NP[t]))
    getattr(prg, name)(queue, g, l, r, *args)
    return back(r, NP[t], n)
for g, l in shapes:
    N = int(np.prod(g))
    L = int(np.prod(l))
    idx = lidx(g, l)
    groups = {}
    for i, (gr, ll) in enumerate(idx):
        groups.setdefault(gr, {})[ll] = i
    subs = {}
    for gr, d in groups.items():
        for ll, i in d.items():
            subs.setdefault((gr, ll // 32), {})[ll % 32] = i
    for t in T:
        v = rng.integers(0 if t.startswith('u') else -20, 20, N).astype(NP[t])
        if t in ('half', 'float', 'double'):
            v = (v / 4).astype(NP[t])
        for fam, parts in (('work_group', groups), ('sub_group', subs)):
            for op in ('add', 'min', 'max'):
                lo, hi = limits(t) if t in INTS else (-np.inf, np.inf)
                idn = {'add': 0, 'min': hi, 'max': lo}[op]
                f = {'add': lambda a, b: a + b, 'min': min, 'max': max}[op]
                W = {k: np.zeros(N, object) for k in ('reduce', 'scan_inclusive', 'scan_exclusive')}
                for d in parts.values():
                    acc = idn
                    for ll in sorted(d):
                        W['scan_exclusive'][d[ll]] = acc
                        x = v[d[ll]].item()
                        acc = x if op != 'add' and acc == idn else f(acc, x)
                        W['scan_inclusive'][d[ll]] = acc
                    for ll in d:
                        W['reduce'][d[ll]] = acc
                for k in W:
                    try:
                        hold('groups', f'{fam}_{k}_{op} {t} {g}/{l}', go(f'{fam}_{k}_{op}_{t}', t, g, l, [buf(v)], N), W[k].astype(NP[t]))
                    except Exception as e:
                        tables.wrong += 1
                        print('RUN', fam, k, op, t, g, l, str(e)[:200])
        x, y, z = [int(rng.integers(0, (list(l) + [1, 1])[j])) for j in range(3)]
        ll = (z * (list(l) + [1, 1])[1] + y) * l[0] + x
        hold('groups', f'broadcast {t} {g}/{l}', go(f'wb_{t}', t, g, l, [buf(v), np.int32(x), np.int32(y), np.int32(z)], N), np.array([v[groups[gr][ll]] for gr, _ in idx]))
        s = min(int(min((len(d) for d in subs.values()))) - 1, 5)
        hold('groups', f'sub broadcast {t} {g}/{l}', go(f'sb_{t}', t, g, l, [buf(v), np.int32(s)], N), np.array([v[subs[gr, ll // 32][s]] for gr, ll in idx]))
    for t in SH:
        v = rng.integers(0, 100, N).astype(NP[t])
        want = np.zeros(4 * N, NP[t])
        ok = np.zeros(4 * N, bool)
        for i, (gr, ll) in enumerate(idx):
            d = subs[gr, ll // 32]
            q = ll % 32
            for j, s in enumerate(((q * 7 + 1) % 32, q ^ 5, q - 3, q + 2)):
                if s in d:
                    want[4 * i + j] = v[d[s]]
                    ok[4 * i + j] = True
        hold('groups', f'shuffle {t} {g}/{l}', go(f'ss_{t}', t, g, l, [buf(v)], 4 * N), want, ok=ok)
    for dens in (0.02, 0.5, 0.98, 1.0, 0.0):
        v = (rng.random(N) < dens).astype(np.int32) * 7
        want = np.zeros(4 * N, np.int32)
        for i, (gr, ll) in enumerate(idx):
            a = [v[j] for j in groups[gr].values()]
            b = [v[j] for j in subs[gr, ll // 32].values()]
            want[4 * i:4 * i + 4] = [any(a), all(a), any(b), all(b)]
        hold('groups', f'any all {g}/{l}', go('anyall', 'int', g, l, [buf(v)], 4 * N), want)
    want = np.zeros(8 * N, np.uint32)
    for i, (gr, ll) in enumerate(idx):
        n = len(subs[gr, ll // 32])
        want[8 * i:8 * i + 8] = [n, 32, (L + 31) // 32, (L + 31) // 32, ll // 32, ll % 32, ll, l[0]]
    hold('groups', f'ids {g}/{l}', go('ids', 'uint', g, l, [], 8 * N), want)
end()
