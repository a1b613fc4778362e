// Integer, common, geometric, relational and conversion functions, vectors and halves, of the device library.
// RUN: rm -rf %t && mkdir %t && %leno-cc --llvm -verify-machineinstrs %s -o %t/k
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t/k0
// RUN: %leno-run %t/k --kernel integers --block 32 --arg out:u32[512]:%t/i.npy && %leno-run %t/k0 --kernel integers --block 32 --arg out:u32[512]:%t/i0.npy
// RUN: cmp %t/i.npy %t/i0.npy
// RUN: %python %tools/expect.py %t/i.npy "np.array([f(int(t)) for t in range(32) for f in (lambda t: bin(t * 2654435761 % 2**32).count('1'), lambda t: 32 - t.bit_length(), lambda t: min(t + 4294967290, 2**32 - 1), lambda t: abs(5 - t), lambda t: (t * 0x12345678) >> 32, lambda t: (t + 9) >> 1, lambda t: (t << 7 | t >> 25) % 2**32, lambda t: min(max(t, 5), 20), lambda t: (t * t + 3) % 2**32, lambda t: (t << 8 | 0x12) % 2**32, lambda t: 255 if t * 20 > 255 else t * 20, lambda t: (1 if t > 7 else 2), lambda t: (t // 3) % 2**32, lambda t: t % 7, lambda t: t ^ 0xff, lambda t: sum((t * k) % 2**32 for k in range(1, 5)) % 2**32)], dtype=np.uint32)"
// RUN: %leno-run %t/k --kernel floats --block 32 --arg out:f32[384]:%t/f.npy && %leno-run %t/k0 --kernel floats --block 32 --arg out:f32[384]:%t/f0.npy
// RUN: cmp %t/f.npy %t/f0.npy
// RUN: %python %tools/expect.py %t/f.npy "np.array([v for t in range(32) for v in (4 * t * t + 18 * t + 28, 1 + t * 0.5, -1.0 if t % 2 else 1.0, 90.0, float(t >= 10), t * 2.0 + 0.5, 2.0 ** (t - 5), np.float16(t / 8), t * 1.5 - 2, float(int(t / 3 + 0.5)), 3 * t * t - 2.0, 7.0)], dtype=np.float32)"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void integers(global uint *out) {
  uint t = get_global_id(0);
  out += 16 * t;
  out[0] = popcount(t * 2654435761u);
  out[1] = clz(t);
  out[2] = add_sat(t, 4294967290u);
  out[3] = abs_diff(5u, t);
  out[4] = mul_hi(t, 0x12345678u);
  out[5] = hadd(t, 9u);
  out[6] = rotate(t, 7u);
  out[7] = clamp(t, 5u, 20u);
  out[8] = mad24(t, t, 3u);
  out[9] = upsample((ushort)(t >> 8), (ushort)(t << 8 | 0x12));
  out[10] = convert_uchar_sat(t * 20);
  out[11] = select(2u, 1u, t > 7 ? 1u : 0u);
  out[12] = t / 3;
  out[13] = t % 7;
  out[14] = bitselect(t, ~t, 0xffu);
  uint4 v = t * (uint4)(1, 2, 3, 4);
  out[15] = v.x + v.y + v.z + v.w;
}
kernel void floats(global float *out) {
  uint t = get_global_id(0);
  out += 12 * t;
  float x = t;
  out[0] = dot((float4)(x, x + 1, x + 2, x + 3), (float4)(x, x + 2, x + 4, x + 6));
  out[1] = mix(1.0f, x + 1, 0.5f);
  out[2] = sign(t % 2 ? -3.0f : 3.0f);
  out[3] = degrees(M_PI_2_F);
  out[4] = step(10.0f, x);
  out[5] = fma(x, 2.0f, 0.5f);
  out[6] = ldexp(1.0f, (int)t - 5);
  out[7] = (float)(half)(x / 8);
  out[8] = mad(x, 1.5f, -2.0f);
  out[9] = convert_int_rtz(x / 3 + 0.5f);
  float3 c = cross((float3)(x, 1, 2), (float3)(x, 3 * x, 2));
  out[10] = c.z + x + 0 * c.x - 2.0f;
  out[11] = isnan(x / 0.0f * 0.0f) ? 7 : 8;
}
