"""Runs what pyopencl generates, and counts what is other than numpy's."""
import numpy as np
import pyopencl as cl
import pyopencl.algorithm
import pyopencl.array
import pyopencl.bitonic_sort
import pyopencl.elementwise
import pyopencl.reduction
import pyopencl.scan

wrong = 0


def hold(name, got, expected):
    global wrong
    if not np.array_equal(got, expected):
        wrong += 1
        print(f"{name}: {got} instead of {expected}")


context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
random = np.random.default_rng(7)
x = random.integers(-1000, 1000, 3000).astype(np.int32)
y = random.integers(1, 1000, 3000).astype(np.int32)
dx, dy = cl.array.to_device(queue, x), cl.array.to_device(queue, y)
hold("sum of arrays", (dx + 3 * dy).get(), x + 3 * y)
f = random.random(1000, np.float32)
df = cl.array.to_device(queue, f)
hold("product", (df * df).get(), f * f)
hold("maximum", cl.array.max(dx).get(), x.max())
hold("sum", cl.array.sum(dx).get(), x.sum())
hold("dot", cl.array.dot(dx, dy).get(), np.dot(x, y))
axpy = cl.elementwise.ElementwiseKernel(context, "int a, int *x, int *y, int *z", "z[i] = a * x[i] + y[i]")
z = cl.array.empty_like(dx)
axpy(np.int32(5), dx, dy, z)
hold("elementwise", z.get(), 5 * x + y)
count = cl.reduction.ReductionKernel(context, np.int32, neutral="0", reduce_expr="a+b", map_expr="x[i] > 0 ? 1 : 0",
                                     arguments="__global int *x")
hold("reduction", count(dx).get(), (x > 0).sum())
scan = cl.scan.InclusiveScanKernel(context, np.int32, "a+b", neutral="0")
d = cl.array.to_device(queue, x)
scan(d)
hold("scan", d.get(), np.cumsum(x, dtype=np.int32))

# Sorts: radix by scans that carry structures, and bitonic networks, along an axis with the places of what was sorted.
radix = pyopencl.algorithm.RadixSort(context, "int *keys, ushort *places", key_expr="keys[i]",
                                     sort_arg_names=["keys", "places"], key_dtype=np.int32, bits_at_a_time=3)
keys = random.integers(0, 2**31, 700).astype(np.int32)
places = np.arange(700, dtype=np.uint16)
(sorted_keys, sorted_places), _ = radix(cl.array.to_device(queue, keys), cl.array.to_device(queue, places), key_bits=31)
hold("radix sort", sorted_keys.get(), np.sort(keys))
hold("places of a radix sort", keys[sorted_places.get()], np.sort(keys))
rows = random.integers(0, 10**6, (3, 256)).astype(np.int32)
where = cl.array.to_device(queue, np.tile(np.arange(256, dtype=np.int32), (3, 1)))
pyopencl.bitonic_sort.BitonicSort(context)(cl.array.to_device(queue, rows), idx=where, axis=1)
hold("bitonic sort", np.take_along_axis(rows, where.get(), 1), np.sort(rows, 1))
print(wrong, "wrong")
