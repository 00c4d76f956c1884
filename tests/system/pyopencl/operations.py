#!/usr/bin/python3
"""pyopencl's arrays and algorithms on one platform, checked with numpy: elementwise expressions, reductions, scans,
sorting, random numbers, copying and slicing. Runs unmodified library code: dozens of generated kernels.

usage: operations.py PLATFORM      (a part of the platform's name)
"""

import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clmath as cl_math
import pyopencl.clrandom as cl_random
from pyopencl.algorithm import RadixSort, copy_if, partition, unique
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel, InclusiveScanKernel


def main():
    platform, = [p for p in cl.get_platforms() if sys.argv[1] in p.name]
    context = cl.Context(platform.get_devices())
    queue = cl.CommandQueue(context)
    rng = np.random.default_rng(7)
    n = 10007
    a = rng.standard_normal(n).astype(np.float32)
    b = rng.standard_normal(n).astype(np.float32)
    i = rng.integers(-1000, 1000, n).astype(np.int32)
    da, db, di = (cl_array.to_device(queue, x) for x in (a, b, i))

    def same(name, ours, theirs, tolerance=0.0):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        bad = ours != theirs if tolerance == 0 else ~np.isclose(ours, theirs, rtol=tolerance, atol=tolerance)
        if ours.shape != theirs.shape or bad.any():
            raise SystemExit(f"{name}: differs at {np.argwhere(bad)[:5].tolist()}")
        print(f"{name}: right")

    same("to_device", da.get(), a)
    same("arithmetic", (2 * da + db - 1).get(), 2 * a + b - 1, 1e-6)
    same("product", (da * db).get(), a * b)
    same("integers", (di * 3 + 5).get(), i * 3 + 5)
    same("comparison", (da > db).get().astype(bool), a > b)
    same("absolute", abs(di).get(), abs(i))
    same("slices", da[100:2000].get(), a[100:2000])
    same("fill", cl_array.zeros(queue, 77, np.float64).fill(2.5).get(), np.full(77, 2.5))
    same("arange", cl_array.arange(queue, 0, 5000, 3, dtype=np.int32).get(), np.arange(0, 5000, 3, dtype=np.int32))
    same("take", cl_array.take(da, cl_array.to_device(queue, np.arange(n - 1, -1, -1, dtype=np.int32))).get(), a[::-1])
    same("where", cl_array.if_positive(da, da, db).get(), np.where(a > 0, a, b))
    same("maximum", cl_array.maximum(da, db).get(), np.maximum(a, b))
    same("doubles", (da.astype(np.float64) * 0.1).get(), a.astype(np.float64) * 0.1)
    same("sin", cl_math.sin(da).get(), np.sin(a), 1e-5)
    same("exp", cl_math.exp(da).get(), np.exp(a), 1e-5)
    same("sqrt", cl_math.sqrt(abs(da)).get(), np.sqrt(abs(a)), 1e-5)

    kernel = ElementwiseKernel(context, "float *x, float *y, float *z, float k", "z[i] = x[i] * k + y[i] * y[i]", "mine")
    dz = cl_array.empty_like(da)
    kernel(da, db, dz, np.float32(1.5))
    same("elementwise", dz.get(), a * np.float32(1.5) + b * b, 1e-6)

    same("sum", cl_array.sum(di).get(), i.sum())
    same("max", cl_array.max(da).get(), a.max())
    same("min", cl_array.min(di).get(), i.min())
    same("dot", cl_array.dot(di, di).get(), np.dot(i, i))
    same("float sum", cl_array.sum(da).get(), a.sum(), 1e-3)
    count = ReductionKernel(context, np.int32, neutral="0", reduce_expr="a+b", map_expr="x[i] > 0 ? 1 : 0",
                            arguments="__global float *x")
    same("count", count(da).get(), (a > 0).sum())

    scanned = di.copy()
    InclusiveScanKernel(context, np.int32, "a+b", neutral="0")(scanned)
    same("scan", scanned.get(), np.cumsum(i, dtype=np.int32))
    out = cl_array.zeros_like(di)
    GenericScanKernel(context, np.int32, arguments="__global int *x, __global int *y", input_expr="x[i]",
                      scan_expr="max(a, b)", neutral="-100000", output_statement="y[i] = item;")(di, out, queue=queue)
    same("running maximum", out.get(), np.maximum.accumulate(i))
    kept, size, _ = copy_if(di, "ary[i] > 300")
    same("copy_if", kept.get()[:int(size.get())], i[i > 300])
    yes, no, size, _ = partition(di, "ary[i] > 0")
    m = int(size.get())
    same("partition", np.concatenate([yes.get()[:m], no.get()[:n - m]]), np.concatenate([i[i > 0], i[i <= 0]]))
    ordered = cl_array.to_device(queue, np.sort(i))
    distinct, size, _ = unique(ordered)
    same("unique", distinct.get()[:int(size.get())], np.unique(i))
    keys = rng.integers(0, 1 << 16, 5000).astype(np.uint32)
    sort = RadixSort(context, "unsigned *ary", key_expr="ary[i]", sort_arg_names=["ary"], key_dtype=np.uint32)
    (result,), _ = sort(cl_array.to_device(queue, keys), key_bits=16)
    same("radix sort", result.get(), np.sort(keys))

    numbers = cl_random.PhiloxGenerator(context).uniform(queue, 20000, np.float32).get()
    if not (0 <= numbers.min() and numbers.max() <= 1 and abs(numbers.mean() - 0.5) < 0.02 and len(set(numbers)) > 15000):
        raise SystemExit("random numbers: not uniform")
    print("random: right")
    normal = cl_random.ThreefryGenerator(context).normal(queue, 20000, np.float32).get()
    if abs(normal.mean()) > 0.05 or abs(normal.std() - 1) > 0.05:
        raise SystemExit("random numbers: not normal")
    print("normal: right")


if __name__ == "__main__":
    main()
