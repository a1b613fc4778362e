kernel void matmul(global const float *a, global const float *b, global float *c, uint n) {
  local float tileA[32][32], tileB[32][32];
  uint x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * 32 + x, row = get_group_id(1) * 32 + y;
  float sums[4] = {0, 0, 0, 0};
  for (uint k = 0; k < n; k += 32) {
    for (uint i = 0; i < 4; ++i) {
      tileA[y + 8 * i][x] = a[(row + 8 * i) * n + k + x];
      tileB[y + 8 * i][x] = b[(k + y + 8 * i) * n + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 32; ++j)
      for (uint i = 0; i < 4; ++i)
        sums[i] = fma(tileA[y + 8 * i][j], tileB[j][x], sums[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint i = 0; i < 4; ++i)
    c[(row + 8 * i) * n + column] = sums[i];
}
