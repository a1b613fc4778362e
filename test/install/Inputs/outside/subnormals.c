/* A program linked with -ffast-math (or -Ofast): it starts with subnormals flushed to zero, and ends so. */
#include "leno-c/leno.h"

#include <stdio.h>
#include <xmmintrin.h>

static const char source[] = ".kernel add\n"
                             ".param f32 x\n"
                             ".param ptr sum\n"
                             "  MOV R1, c[0][x]\n"
                             "  FADD R2, R1, R1\n"
                             "  IADD.CC R4, RZ, c[0][sum]\n"
                             "  IADD.X R5, RZ, c[0][sum+4]\n"
                             "  STG [R4.64], R2\n"
                             "  EXIT\n"
                             ".endkernel\n";

int main(void) {
  leno_device *device = NULL;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_buffer *sum = NULL;
  union {
    uint32_t bits;
    float number;
  } x = {3}, result = {0}; /* 3 * 2^-149 */
  unsigned before = _mm_getcsr();
  if (leno_device_create(NULL, 0, &device) || leno_module_assemble(source, "add.s", &module) ||
      leno_module_kernel(module, "add", &kernel) || leno_buffer_create(device, sizeof result, "sum", &sum))
    return fprintf(stderr, "%s\n", leno_last_error()), 1;
  leno_argument arguments[] = {leno_f32(x.number), leno_ptr(sum)};
  if (leno_launch(device, kernel, NULL, arguments, 2, NULL) || leno_buffer_read(sum, 0, &result, sizeof result))
    return fprintf(stderr, "%s\n", leno_last_error()), 1;
  printf("flushes %s, the sum is %u, the environment is %s\n", before & 0x8000 ? "subnormals" : "nothing",
         (unsigned)result.bits, _mm_getcsr() == before ? "as before" : "another");
  leno_buffer_destroy(sum), leno_kernel_destroy(kernel), leno_module_destroy(module);
  leno_device_destroy(device);
}
