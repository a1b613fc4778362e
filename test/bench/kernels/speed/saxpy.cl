kernel void saxpy(global const float *x, global float *y, uint n, float a) {
  uint i = get_global_id(0);
  if (i < n)
    y[i] = fma(a, x[i], y[i]);
}
