#pragma OPENCL FP_CONTRACT OFF
kernel void mandelbrot(global uint *image, uint width, uint limit) {
  uint column = get_global_id(0), row = get_global_id(1), turns = 0;
  float cx = (float)column * 0x1.8p-8f + -2.25f, cy = (float)row * 0x1.8p-8f + -1.5f, x = 0, y = 0;
  while (turns < limit) {
    float xx = x * x, yy = y * y;
    if (xx + yy > 4.0f)
      break;
    float xy = x * y;
    x = xx - yy + cx;
    y = xy + xy + cy;
    ++turns;
  }
  image[row * width + column] = turns;
}
