// Kernels as benchmark suites have them; suites.py has the references.
kernel void gemm(global const float *A, global const float *B, global float *C, uint n) {
  local float a[16][16], b[16][16];
  uint x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  float s = 0;
  for (uint k = 0; k < n; k += 16) {
    a[y][x] = A[gy * n + k + x];
    b[y][x] = B[(k + y) * n + gx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 16; ++i)
      s += a[y][i] * b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[gy * n + gx] = s;
}
kernel void bfs(global const uint *row, global const uint *col, global const uint *level, global uint *next,
                global uint *changed, uint depth, uint n) {
  uint v = get_global_id(0);
  if (v >= n || level[v] != depth)
    return;
  for (uint e = row[v]; e < row[v + 1]; ++e)
    if (atomic_cmpxchg(&next[col[e]], 0xffffffffu, depth + 1) == 0xffffffffu)
      atomic_inc(changed);
}
kernel void reduce(global const float *x, global float *out, local float *tmp, uint n) {
  uint t = get_local_id(0);
  float s = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    s += x[i];
  tmp[t] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = get_local_size(0) / 2; k; k /= 2) {
    if (t < k)
      tmp[t] += tmp[t + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (!t)
    out[get_group_id(0)] = tmp[0];
}
kernel void nbody(global const float4 *p, global float4 *v, float dt, uint n) {
  uint i = get_global_id(0);
  float4 me = p[i];
  float3 f = 0;
  for (uint j = 0; j < n; ++j) {
    float3 d = p[j].xyz - me.xyz;
    float r = rsqrt(dot(d, d) + 0.01f);
    f += d * (p[j].w * r * r * r);
  }
  v[i].xyz += f * dt;
}
kernel void lu(global double *a, uint n, uint k) {
  uint i = get_global_id(1) + k + 1, j = get_global_id(0) + k + 1;
  if (i < n && j < n)
    a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
}
kernel void black(global const float *s, global float *call, float r, float vol, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  float t = 1 + (i % 5), x = 100, d1 = (log(s[i] / x) + (r + 0.5f * vol * vol) * t) / (vol * sqrt(t)),
        d2 = d1 - vol * sqrt(t);
  float n1 = 0.5f * erfc(-d1 * M_SQRT1_2_F), n2 = 0.5f * erfc(-d2 * M_SQRT1_2_F);
  call[i] = s[i] * n1 - x * exp(-r * t) * n2;
}
kernel void sort(global uint *x, uint k, uint j) {
  uint i = get_global_id(0), o = i ^ j;
  if (o > i) {
    uint a = x[i], b = x[o];
    bool up = (i & k) == 0;
    if ((a > b) == up) {
      x[i] = b;
      x[o] = a;
    }
  }
}
