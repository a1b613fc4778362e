/* The C API under the floating-point environment that the host has set. */
#include "../HostFloats.h"
#include "CCheck.h"
#include "FloatKernel.h"

const char *floatsAreTheMachines(int rounding, int traps);

static struct host_floats atCallback;
static void noteFloats(void *data) { atCallback = hostFloats(), (void)data; }
static void noteEvent(const leno_context_event *event, void *data) { (void)event, noteFloats(data); }

static const char *tryLaunches(void) {
  const struct host_floats mine = hostFloats();
  leno_device *device = NULL;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_buffer *out = NULL;
  leno_stream *stream = NULL;
  uint32_t words[FloatWords * FloatCtas] = {0};
  CHECK(leno_device_create(NULL, 0, &device) == LENO_OK);
  CHECK(leno_module_assemble(floatKernel, "floats.s", &module) == LENO_OK);
  CHECK(leno_module_kernel(module, NULL, &kernel) == LENO_OK);
  CHECK(leno_buffer_create(device, sizeof words, "out", &out) == LENO_OK);
  CHECK(leno_stream_create(device, &stream) == LENO_OK);
  leno_launch_config config = leno_launch_defaults();
  config.grid[0] = FloatCtas;
  leno_argument argument = leno_ptr(out);
  for (config.threads = 1; config.threads <= 2; ++config.threads) {
    CHECK(leno_launch(device, kernel, &config, &argument, 1, NULL) == LENO_OK);
    CHECK(leno_buffer_read(out, 0, words, sizeof words) == LENO_OK);
    CHECK(firstWrongFloat(words) == FloatWords * FloatCtas);
    CHECK(hostFloatsAre(mine));
  }
  memset(words, 0, sizeof words);
  CHECK(leno_buffer_write(out, 0, words, sizeof words) == LENO_OK);
  CHECK(leno_stream_launch(stream, kernel, &config, &argument, 1, NULL) == LENO_OK);
  CHECK(leno_stream_read(stream, out, 0, words, sizeof words) == LENO_OK);
  CHECK(leno_stream_call(stream, noteFloats, NULL) == LENO_OK);
  CHECK(leno_stream_synchronize(stream) == LENO_OK);
  CHECK(firstWrongFloat(words) == FloatWords * FloatCtas);
  leno_stream_destroy(stream);
  CHECK(hostFloatsAre(mine) && hostFloatsAre(atCallback));
  leno_buffer_destroy(out), leno_kernel_destroy(kernel), leno_module_destroy(module);
  leno_device_destroy(device);
  return "";
}

static const char *tryContexts(void) {
  const struct host_floats mine = hostFloats();
  const char *settings[] = {"sm.count=2", "timing.model=cycles"};
  leno_device *device = NULL;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_context *context = NULL;
  leno_buffer *out = NULL;
  uint32_t words[FloatWords * FloatCtas] = {0};
  leno_context_settings usual = {"a", 0, 0, 0, 0};
  CHECK(leno_device_create(settings, 2, &device) == LENO_OK);
  CHECK(leno_device_on_event(device, noteEvent, NULL) == LENO_OK);
  CHECK(leno_context_create(device, &usual, &context) == LENO_OK);
  CHECK(leno_module_assemble(floatKernel, "floats.s", &module) == LENO_OK);
  CHECK(leno_module_kernel(module, NULL, &kernel) == LENO_OK);
  CHECK(leno_context_buffer_create(context, sizeof words, "out", &out) == LENO_OK);
  leno_launch_config config = leno_launch_defaults();
  config.grid[0] = FloatCtas;
  leno_argument argument = leno_ptr(out);
  CHECK(leno_context_launch(context, kernel, &config, &argument, 1, NULL) == LENO_OK);
  CHECK(leno_context_read(context, out, 0, words, sizeof words) == LENO_OK);
  memset(&atCallback, 0, sizeof atCallback);
  CHECK(leno_context_synchronize(context) == LENO_OK);
  CHECK(firstWrongFloat(words) == FloatWords * FloatCtas);
  CHECK(hostFloatsAre(mine) && hostFloatsAre(atCallback));
  leno_buffer_destroy(out), leno_kernel_destroy(kernel), leno_module_destroy(module);
  leno_context_destroy(context), leno_device_destroy(device);
  CHECK(hostFloatsAre(mine));
  return "";
}

const char *floatsAreTheMachines(int rounding, int traps) {
  (traps ? setTrappingHostFloats : setHostFloats)(rounding);
  const char *what = tryLaunches();
  if (!*what)
    what = tryContexts();
  fesetenv(FE_DFL_ENV);
  return what;
}
