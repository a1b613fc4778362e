/* Several contexts on one machine, from C. */
#include "CCheck.h"

const char *contextsShareAMachine(void);
const char *contextsEndOneByOne(void);
const char *aDeviceIsAContextToo(void);

/* Adds more + c[1][0] to each of 64 words. More than 64 threads trap. */
static const char source[] = ".const 1\n"
                             "bias: .word 0\n"
                             ".kernel add\n"
                             ".param ptr data\n"
                             ".param u32 more\n"
                             "  S2R R0, SR_TID.X\n"
                             "  SHL R1, R0, 2\n"
                             "  IADD R1, R1, c[0][data]\n"
                             "  LDG R2, [R1]\n"
                             "  IADD R2, R2, c[0][more]\n"
                             "  IADD R2, R2, c[1][bias]\n"
                             "  STG [R1], R2\n"
                             "  EXIT\n"
                             ".endkernel\n";

static void countStarts(const leno_context_event *event, void *data) {
  if (!strcmp(event->kind, "GridStarts") && !strncmp(event->context, "a", 1) && event->text[0] == 'c')
    ++*(int *)data;
}

const char *contextsShareAMachine(void) {
  const char *settings[] = {"sm.count=2", "timing.model=cycles"};
  leno_device *device = NULL;
  leno_context *a = NULL, *b = NULL;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_buffer *x = NULL, *copy = NULL, *y = NULL;
  leno_pending *pending = NULL;
  uint32_t words[64] = {0}, seen[64], bias = 100;
  int starts = 0;
  CHECK(leno_device_create(settings, 2, &device) == LENO_OK);
  CHECK(leno_device_on_event(device, countStarts, &starts) == LENO_OK);
  leno_context_settings urgent = {"urgent", 1, 0, 0, 0}, first = {"a", 0, 0, 0, 0};
  CHECK(leno_context_create(device, &first, &a) == LENO_OK);
  CHECK(leno_context_create(device, &urgent, &b) == LENO_OK);
  CHECK(leno_module_assemble(source, "add.s", &module) == LENO_OK);
  CHECK(leno_module_kernel(module, NULL, &kernel) == LENO_OK);
  CHECK(leno_context_buffer_create(a, sizeof words, "x", &x) == LENO_OK);
  CHECK(leno_context_buffer_create(a, sizeof words, NULL, &copy) == LENO_OK);
  CHECK(leno_context_buffer_create(b, sizeof words, "y", &y) == LENO_OK);

  for (uint32_t i = 0; i < 64; ++i)
    words[i] = i;
  leno_launch_config config = leno_launch_defaults();
  config.block[0] = 64;
  leno_argument ofX[] = {leno_ptr(x), leno_u32(1)}, ofY[] = {leno_ptr(y), leno_u32(7)};
  CHECK(leno_context_write(a, x, 0, words, sizeof words) == LENO_OK);
  CHECK(leno_context_launch(a, kernel, &config, ofX, 2, NULL) == LENO_OK);
  CHECK(leno_context_write_constants(a, module, 1, 0, &bias, sizeof bias) == LENO_OK);
  CHECK(leno_context_sync_token(a, 1, 1) == LENO_OK);
  CHECK(leno_context_launch(a, kernel, &config, ofX, 2, NULL) == LENO_OK);
  CHECK(leno_context_copy(a, x, 0, copy, 0, sizeof words) == LENO_OK);
  CHECK(leno_context_read(a, copy, 0, seen, sizeof seen) == LENO_OK);
  CHECK(leno_context_release(a, 3, 1) == LENO_OK);
  CHECK(leno_context_acquire(b, 3, 1) == LENO_OK);
  CHECK(leno_context_launch(b, kernel, &config, ofY, 2, &pending) == LENO_OK);
  CHECK_SAYS(leno_context_launch(b, kernel, &config, ofX, 2, NULL), "'x', belongs to context 'a'");

  leno_run_stop stop = LENO_IDLE;
  CHECK(leno_device_run(device, 50, &stop) == LENO_OK && stop == LENO_CYCLE);
  CHECK(leno_device_cycle(device) == 50);
  CHECK(!leno_context_is_idle(a) && !leno_pending_is_done(pending));
  leno_launch_cycles cycles;
  CHECK(leno_pending_cycles(pending, &cycles) == LENO_OK && cycles.decoded == LENO_NOT_YET);
  leno_result result;
  CHECK(leno_pending_wait(pending, &result) == LENO_OK && !result.trapped);
  CHECK(leno_pending_cycles(pending, &cycles) == LENO_OK);
  CHECK(cycles.decoded < cycles.started && cycles.started < cycles.ended && cycles.ended != LENO_NOT_YET);
  CHECK(leno_context_is_idle(a) && leno_context_synchronize(a) == LENO_OK);
  CHECK(leno_device_semaphore(device, 3) == 1);
  for (uint32_t i = 0; i < 64; ++i)
    CHECK(seen[i] == i + 102);
  CHECK(leno_buffer_read(y, 0, seen, sizeof seen) == LENO_OK && seen[5] == 7);
  leno_context_counts counts;
  CHECK(leno_context_get_counts(a, &counts) == LENO_OK && counts.commands == 8);
  CHECK(counts.warp_instructions == 2 * 2 * 8 && counts.run_cycles > 0);
  CHECK(starts == 2);

  CHECK(leno_context_acquire(b, 9, 1) == LENO_OK);
  CHECK_SAYS(leno_device_run_until_idle(device), "context 'urgent' waits for semaphore 9 to reach 1");
  CHECK(leno_device_release(device, 9, 1) == LENO_OK);
  CHECK(leno_device_run_until_idle(device) == LENO_OK);
  leno_pending_destroy(pending);
  leno_buffer_destroy(x), leno_buffer_destroy(y), leno_buffer_destroy(copy);
  leno_kernel_destroy(kernel), leno_module_destroy(module);
  leno_context_destroy(a), leno_context_destroy(b);
  leno_device_destroy(device);
  return "";
}

const char *contextsEndOneByOne(void) {
  leno_device *device = NULL;
  leno_context *a = NULL, *b = NULL;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_buffer *x = NULL;
  leno_pending *pending = NULL;
  CHECK(leno_device_create(NULL, 0, &device) == LENO_OK);
  CHECK(leno_context_create(device, NULL, &a) == LENO_OK && leno_context_create(device, NULL, &b) == LENO_OK);
  CHECK(leno_module_assemble(source, "add.s", &module) == LENO_OK);
  CHECK(leno_module_kernel(module, NULL, &kernel) == LENO_OK);
  CHECK(leno_context_buffer_create(a, 256, "x", &x) == LENO_OK);
  leno_launch_config config = leno_launch_defaults();
  config.block[0] = 65;
  leno_argument arguments[] = {leno_ptr(x), leno_u32(1)};
  CHECK(leno_context_launch(a, kernel, &config, arguments, 2, &pending) == LENO_OK);
  CHECK_SAYS(leno_context_synchronize(a), "context '0' has ended: kernel 'add': ADDRESS_OUT_OF_RANGE");
  leno_result result;
  CHECK(leno_pending_wait(pending, &result) == LENO_TRAP);
  CHECK(result.trapped && !strcmp(result.trap_kind, "ADDRESS_OUT_OF_RANGE") && result.trap_lanes == 1);
  leno_result_clear(&result);
  CHECK_SAYS(leno_context_status(a), "ADDRESS_OUT_OF_RANGE");
  CHECK(leno_context_status(b) == LENO_OK);
  CHECK(leno_device_kill(device, b, "enough of it") == LENO_OK);
  CHECK_SAYS(leno_context_status(b), "context '1' has ended: enough of it");
  CHECK_SAYS(leno_context_release(NULL, 1, 1), "leno_context_release: context is NULL");
  CHECK_SAYS(leno_context_create(NULL, NULL, &a), "leno_context_create: device is NULL");
  const char *wrong[] = {"sm.coumt=2"};
  CHECK_SAYS(leno_device_create(wrong, 1, &device), "sm.count");
  leno_device_destroy(device); /* before the rest */
  CHECK_SAYS(leno_context_status(a), "its device is gone");
  CHECK_SAYS(leno_buffer_read(x, 0, wrong, 4), "its context is gone");
  leno_buffer_destroy(x), leno_pending_destroy(pending);
  leno_context_destroy(b), leno_context_destroy(a);
  leno_kernel_destroy(kernel), leno_module_destroy(module);
  return "";
}

const char *aDeviceIsAContextToo(void) {
  leno_device *device = NULL;
  leno_context *a = NULL, *own;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_buffer *x = NULL, *y = NULL, *later = NULL;
  leno_stream *stream = NULL;
  leno_channel *channel = NULL;
  leno_pending *pending = NULL;
  uint32_t words[64] = {0};
  char text[20];
  const char *settings[] = {"sm.count=2", "timing.model=cycles"};
  CHECK(leno_device_create(settings, 2, &device) == LENO_OK);
  CHECK(leno_module_assemble(source, "add.s", &module) == LENO_OK);
  CHECK(leno_module_kernel(module, NULL, &kernel) == LENO_OK);
  CHECK(leno_buffer_create(device, 256, "x", &x) == LENO_OK);
  leno_launch_config config = leno_launch_defaults();
  config.block[0] = 64;
  config.statistics = 1;
  leno_argument ofX[] = {leno_ptr(x), leno_u32(1)};
  leno_result result;
  CHECK(leno_launch(device, kernel, &config, ofX, 2, &result) == LENO_OK); /* alone */
  CHECK(result.statistics.cycles > 0 && leno_device_cycle(device) == 0);
  leno_result_clear(&result);

  own = leno_device_context(device);
  CHECK(leno_context_launch(own, kernel, &config, ofX, 2, &pending) == LENO_OK);
  CHECK(leno_context_acquire(own, 1, 1) == LENO_OK);
  CHECK(leno_pending_wait(pending, NULL) == LENO_OK && leno_pending_is_done(pending));
  CHECK(leno_device_cycle(device) > 0);
  CHECK_SAYS(leno_device_run_until_idle(device), "context 'main' waits for semaphore 1");
  CHECK(leno_device_waits(device, text, sizeof text) > sizeof text && !strcmp(text, "context 'main' wait"));
  CHECK(leno_device_release(device, 1, 1) == LENO_OK && leno_device_run_until_idle(device) == LENO_OK);
  CHECK(leno_device_waits(device, text, sizeof text) == 0 && !text[0]);
  CHECK(leno_context_buffer_create_on_demand(own, 256, NULL, &later) == LENO_OK);

  CHECK(leno_context_create(device, NULL, &a) == LENO_OK);
  CHECK(leno_context_buffer_create(a, 256, "y", &y) == LENO_OK);
  CHECK(leno_context_stream_create(a, &stream) == LENO_OK);
  CHECK(leno_context_channel_create(a, 1, 1, &channel) == LENO_OK);
  CHECK(leno_context_sms(a) == 0);
  leno_argument ofY[] = {leno_ptr(y), leno_u32(5)};
  leno_pending_destroy(pending);
  CHECK(leno_stream_launch(stream, kernel, &config, ofY, 2, &pending) == LENO_OK);
  CHECK(leno_stream_read(stream, y, 0, words, sizeof words) == LENO_OK);
  CHECK(leno_stream_synchronize(stream) == LENO_OK && words[63] == 5);
  leno_launch_cycles cycles;
  CHECK(leno_pending_cycles(pending, &cycles) == LENO_OK && cycles.ended != LENO_NOT_YET);
  CHECK(leno_buffer_read(x, 0, words, sizeof words) == LENO_OK && words[0] == 2);

  leno_pending_destroy(pending), leno_channel_destroy(channel), leno_stream_destroy(stream);
  leno_buffer_destroy(x), leno_buffer_destroy(y), leno_buffer_destroy(later);
  leno_kernel_destroy(kernel), leno_module_destroy(module);
  leno_context_destroy(own); /* the device's: nothing */
  leno_context_destroy(a);
  leno_device_destroy(device);
  return "";
}
