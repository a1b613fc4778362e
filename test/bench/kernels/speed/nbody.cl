kernel void nbody(global const float4 *bodies, global float4 *accelerations, uint n) {
  local float4 tile[64];
  uint thread = get_local_id(0), body = get_global_id(0);
  float4 own = bodies[body], sum = 0;
  for (uint first = 0; first < n; first += 64) {
    tile[thread] = bodies[first + thread];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 64; ++i) {
      float dx = tile[i].x - own.x, dy = tile[i].y - own.y, dz = tile[i].z - own.z;
      float near = rsqrt(fma(dz, dz, fma(dy, dy, fma(dx, dx, 0.001f))));
      float pull = near * near * near * tile[i].w;
      sum.x = fma(dx, pull, sum.x);
      sum.y = fma(dy, pull, sum.y);
      sum.z = fma(dz, pull, sum.z);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  accelerations[body] = sum;
}
