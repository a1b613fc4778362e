/* The C header used from C11; CApiTest.cpp calls these functions. */
#include "CCheck.h"

const char *launchesAndReadsBack(void);
const char *tellsOfKernels(void);
const char *trapsAreStatusesAndResults(void);
const char *mistakesAreToldAndChangeNothing(void);
const char *nullHandlesAreMistakes(void);
const char *everyTypeOfArgumentArrives(void);
const char *streamsRunCommands(void);
const char *streamsKeepTheirFirstError(void);
const char *messagesAreServed(void);
const char *scriptsArePlayed(void);
const char *launchesComeInMessages(void);

static const char source[] = ".kernel scale\n"
                             ".param u32 n\n"
                             ".param f32 factor\n"
                             ".param ptr data\n"
                             "  S2R R0, SR_TID.X\n"
                             "  ISETP.ge.u32 P0, R0, c[0][n]\n"
                             "  @P0 EXIT\n"
                             "  SHL R1, R0, 2\n"
                             "  IADD R1, R1, c[0][data]\n"
                             "  LDG R2, [R1]\n"
                             "  FMUL R2, R2, c[0][factor]\n"
                             "  STG [R1], R2\n"
                             "  EXIT\n"
                             ".endkernel\n";

/* A device, the kernel above and a buffer of 64 ones. */
struct setup {
  leno_device *device;
  leno_module *module;
  leno_kernel *kernel;
  leno_buffer *buffer;
  leno_launch_config config;
};

static int setUp(struct setup *s) {
  float ones[64];
  for (int i = 0; i < 64; ++i)
    ones[i] = 1;
  const char *settings[] = {"sm.count=2"};
  s->config = leno_launch_defaults();
  s->config.block[0] = 64;
  return leno_device_create(settings, 1, &s->device) || leno_module_assemble(source, "scale.s", &s->module) ||
         leno_module_kernel(s->module, NULL, &s->kernel) ||
         leno_buffer_create(s->device, sizeof ones, "data", &s->buffer) ||
         leno_buffer_write(s->buffer, 0, ones, sizeof ones);
}

static void tearDown(struct setup *s) {
  leno_buffer_destroy(s->buffer);
  leno_kernel_destroy(s->kernel);
  leno_module_destroy(s->module);
  leno_device_destroy(s->device);
}

const char *launchesAndReadsBack(void) {
  struct setup s;
  CHECK(!setUp(&s));
  leno_argument arguments[] = {leno_u32(63), leno_f32(2.5f), leno_ptr(s.buffer)};
  leno_result result;
  s.config.statistics = 1;
  CHECK(leno_launch(s.device, s.kernel, &s.config, arguments, 3, &result) == LENO_OK);
  CHECK(!result.trapped && !result.trap_text);
  CHECK(result.has_statistics && result.statistics.ctas == 1 && result.statistics.warps == 2);
  CHECK(result.statistics.warp_instructions == result.warp_instructions);
  CHECK(result.statistics.global_bytes_stored == 63 * 4);
  CHECK(result.finding_count == 0);
  leno_result_clear(&result);
  s.config.checks = "memory";
  leno_buffer *other;
  CHECK(leno_buffer_create(s.device, 4, "little", &other) == LENO_OK);
  leno_argument little[] = {leno_u32(63), leno_f32(2.5f), leno_ptr(other)};
  CHECK(leno_launch(s.device, s.kernel, &s.config, little, 3, &result) == LENO_TRAP);
  CHECK(result.trapped && result.finding_count == 1 && result.findings[0].line == result.trap_line);
  CHECK(!strcmp(result.findings[0].check, "memory") && !strcmp(result.findings[0].kind, "out-of-bounds"));
  leno_result_clear(&result);
  leno_buffer_destroy(other);
  s.config.checks = NULL;
  float back[64];
  CHECK(leno_buffer_read(s.buffer, 0, back, sizeof back) == LENO_OK);
  for (int i = 0; i < 64; ++i)
    CHECK(back[i] == (i < 63 ? 2.5f : 1.0f));
  CHECK(leno_launch(s.device, s.kernel, &s.config, arguments, 3, NULL) == LENO_OK);
  CHECK(leno_buffer_read(s.buffer, 62 * 4, back, 8) == LENO_OK);
  CHECK(back[0] == 6.25f && back[1] == 1);
  tearDown(&s);
  return "";
}

const char *tellsOfKernels(void) {
  struct setup s;
  CHECK(!setUp(&s));
  CHECK(!strcmp(leno_version(), "0.1.0"));
  CHECK(leno_module_kernel_count(s.module) == 1);
  CHECK(!strcmp(leno_kernel_name(s.kernel), "scale"));
  CHECK(!strcmp(leno_kernel_signature(s.kernel), "scale(u32 n, f32 factor, ptr data)"));
  CHECK(leno_kernel_registers(s.kernel) >= 3 && leno_kernel_shared_bytes(s.kernel) == 0);
  CHECK(leno_kernel_parameter_count(s.kernel) == 3);
  leno_parameter parameter;
  CHECK(leno_kernel_parameter(s.kernel, 1, &parameter) == LENO_OK);
  CHECK(!strcmp(parameter.name, "factor") && !strcmp(parameter.type, "f32"));
  CHECK(parameter.offset == 0x44 && parameter.size == 4);
  CHECK_SAYS(leno_kernel_parameter(s.kernel, 3, &parameter), "has no parameter 3");
  leno_kernel *same = NULL;
  CHECK(leno_module_kernel_at(s.module, 0, &same) == LENO_OK);
  CHECK(!strcmp(leno_kernel_name(same), "scale"));
  leno_kernel_destroy(same);
  CHECK_SAYS(leno_module_kernel_at(s.module, 1, &same), "there is no kernel 1: the module has 1");
  uint64_t value = 0;
  CHECK(leno_device_setting(s.device, "sm.count", &value) == LENO_OK && value == 2);
  CHECK_SAYS(leno_device_setting(s.device, "sm.cuont", &value), "no setting 'sm.cuont'");
  CHECK(leno_device_bytes_allocated(s.device) == 256);
  CHECK(leno_buffer_size(s.buffer) == 256 && leno_buffer_address(s.buffer) % 256 == 0);
  tearDown(&s);
  return "";
}

const char *trapsAreStatusesAndResults(void) {
  struct setup s;
  CHECK(!setUp(&s));
  s.config.block[0] = 96;
  leno_argument arguments[] = {leno_u32(66), leno_f32(1), leno_ptr(s.buffer)};
  leno_result result;
  CHECK(leno_launch(s.device, s.kernel, &s.config, arguments, 3, &result) == LENO_TRAP);
  CHECK(strstr(leno_last_error(), "kernel 'scale': ADDRESS_OUT_OF_RANGE"));
  CHECK(result.trapped && !strcmp(result.trap_kind, "ADDRESS_OUT_OF_RANGE"));
  CHECK(strstr(result.trap_text, "'data'") && !strcmp(result.trap_file, "scale.s") && result.trap_line == 10);
  CHECK(!strcmp(result.trap_label, "scale+0x28") && result.trap_pc == 0x28);
  CHECK(result.trap_warp == 2 && result.trap_lanes == 3 && result.trap_cta[0] == 0);
  CHECK(result.trap_has_address && result.trap_address == leno_buffer_address(s.buffer) + 256);
  leno_result_clear(&result);
  leno_result_clear(&result);
  CHECK(leno_launch(s.device, s.kernel, &s.config, arguments, 3, NULL) == LENO_TRAP);
  tearDown(&s);
  return "";
}

const char *mistakesAreToldAndChangeNothing(void) {
  struct setup s;
  CHECK(!setUp(&s));
  leno_argument arguments[] = {leno_u32(64), leno_f64(1), leno_ptr(s.buffer), leno_u8(1)};
  CHECK_SAYS(
      leno_launch(s.device, s.kernel, &s.config, arguments, 3, NULL),
      "argument 2 of kernel scale(u32 n, f32 factor, ptr data) is an f64, but parameter 'factor' is an f32");
  arguments[1] = leno_f32(1);
  CHECK_SAYS(leno_launch(s.device, s.kernel, &s.config, arguments, 4, NULL), "takes 3 arguments, not 4");
  CHECK_SAYS(leno_launch(s.device, s.kernel, &s.config, arguments, 2, NULL), "takes 3 arguments, not 2");
  arguments[0].type = (leno_type)99;
  CHECK_SAYS(leno_launch(s.device, s.kernel, &s.config, arguments, 3, NULL), "argument 1 has the type 99");
  arguments[0] = leno_u32(1);
  s.config.block[0] = 5000;
  CHECK_SAYS(leno_launch(s.device, s.kernel, &s.config, arguments, 3, NULL),
             "kernel 'scale': a block of 5000");
  s.config.block[0] = 64;
  CHECK_SAYS(leno_buffer_write(s.buffer, 250, "1234567", 7), "pass its end (256 bytes)");

  leno_device *other = NULL;
  CHECK(leno_device_create(NULL, 0, &other) == LENO_OK);
  leno_buffer *far = NULL, *none = NULL;
  CHECK(leno_buffer_create(other, 256, "far", &far) == LENO_OK);
  arguments[2] = leno_ptr(far);
  CHECK_SAYS(leno_launch(s.device, s.kernel, &s.config, arguments, 3, NULL),
             "'far', belongs to another device");
  leno_device_destroy(other);
  CHECK_SAYS(leno_launch(s.device, s.kernel, &s.config, arguments, 3, NULL), "its device is gone");
  leno_buffer_destroy(far);

  CHECK_SAYS(leno_buffer_create(s.device, 0, "none", &none), "0 bytes");
  CHECK(none == NULL);
  leno_module *module = NULL;
  CHECK_SAYS(leno_module_assemble(".kernel k\n  MOVE R0, R1\n.endkernel\n", "bad.s", &module),
             "bad.s:2:3: error:");
  CHECK_SAYS(leno_module_load("no/such/file.s", &module), "no/such/file.s");
  CHECK(module == NULL);
  leno_kernel *kernel = NULL;
  CHECK_SAYS(leno_module_kernel(s.module, "scael", &kernel), "scale");
  const char *settings[] = {"sm.count=2", "sm.cuont=2"};
  CHECK_SAYS(leno_device_create(settings, 2, &other), "did you mean 'sm.count'");
  tearDown(&s);
  return "";
}

const char *nullHandlesAreMistakes(void) {
  struct setup s;
  CHECK(!setUp(&s));
  leno_argument arguments[] = {leno_u32(64), leno_f32(1), leno_ptr(NULL)};
  CHECK_SAYS(leno_launch(NULL, s.kernel, &s.config, arguments, 3, NULL), "leno_launch: device is NULL");
  CHECK_SAYS(leno_launch(s.device, NULL, &s.config, arguments, 3, NULL), "leno_launch: kernel is NULL");
  CHECK_SAYS(leno_launch(s.device, s.kernel, &s.config, arguments, 3, NULL),
             "argument 3 is a buffer that is NULL");
  CHECK_SAYS(leno_launch(s.device, s.kernel, &s.config, NULL, 3, NULL), "the arguments are NULL");
  CHECK_SAYS(leno_device_create(NULL, 0, NULL), "leno_device_create: device is NULL");
  CHECK_SAYS(leno_device_create(NULL, 1, &s.device), "leno_device_create: settings is NULL");
  CHECK_SAYS(leno_buffer_create(NULL, 4, NULL, &s.buffer), "leno_buffer_create: device is NULL");
  CHECK_SAYS(leno_buffer_write(NULL, 0, "", 1), "leno_buffer_write: buffer is NULL");
  CHECK_SAYS(leno_buffer_write(s.buffer, 0, NULL, 1), "leno_buffer_write: data is NULL");
  CHECK_SAYS(leno_buffer_read(s.buffer, 0, NULL, 1), "leno_buffer_read: data is NULL");
  CHECK_SAYS(leno_module_load(NULL, &s.module), "leno_module_load: path is NULL");
  CHECK_SAYS(leno_module_kernel(NULL, "k", &s.kernel), "leno_module_kernel: module is NULL");
  CHECK_SAYS(leno_stream_create(NULL, NULL), "leno_stream_create: device is NULL");
  CHECK_SAYS(leno_stream_synchronize(NULL), "leno_stream_synchronize: stream is NULL");
  CHECK_SAYS(leno_event_synchronize(NULL), "leno_event_synchronize: event is NULL");
  CHECK_SAYS(leno_pending_wait(NULL, NULL), "leno_pending_wait: pending is NULL");
  CHECK_SAYS(leno_channel_send(NULL, NULL, 0, NULL), "leno_channel_send: channel is NULL");
  CHECK(leno_device_bytes_allocated(NULL) == 0 && leno_buffer_size(NULL) == 0 &&
        leno_module_kernel_count(NULL) == 0);
  CHECK(!strcmp(leno_kernel_name(NULL), "") && leno_kernel_parameter_count(NULL) == 0);
  CHECK(leno_channel_buffer(NULL) == NULL && leno_event_is_done(NULL) && leno_stream_is_idle(NULL));
  leno_device_destroy(NULL);
  leno_buffer_destroy(NULL);
  leno_module_destroy(NULL);
  leno_kernel_destroy(NULL);
  leno_channel_destroy(NULL);
  leno_stream_destroy(NULL);
  leno_event_destroy(NULL);
  leno_pending_destroy(NULL);
  leno_result_clear(NULL);
  tearDown(&s);
  return "";
}

const char *everyTypeOfArgumentArrives(void) {
  /* The parameters' own bytes, from c[0] into the buffer. */
  static const char all[] =
      ".kernel all\n"
      ".param u8 a\n.param i8 b\n.param u16 c\n.param i16 d\n.param u32 e\n.param i32 f\n"
      ".param u64 g\n.param i64 h\n.param f32 i\n.param f64 j\n.param ptr out\n"
      "  S2R R0, SR_TID.X\n"
      "  SHL R0, R0, 2\n"
      "  LDC R1, c[0][R0+0x40]\n"
      "  IADD R2, R0, c[0][out]\n"
      "  STG [R2], R1\n"
      "  EXIT\n"
      ".endkernel\n";
  leno_device *device = NULL;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_buffer *out = NULL;
  CHECK(!leno_device_create(NULL, 0, &device) && !leno_module_assemble(all, NULL, &module) &&
        !leno_module_kernel(module, "all", &kernel) && !leno_buffer_create(device, 64, NULL, &out));
  leno_argument arguments[] = {leno_u8(200),
                               leno_i8(-3),
                               leno_u16(60000),
                               leno_i16(-300),
                               leno_u32(4000000000u),
                               leno_i32(-7),
                               leno_u64(UINT64_C(1) << 63),
                               leno_i64(-9),
                               leno_f32(1.5f),
                               leno_f64(-2.25),
                               leno_ptr(out)};
  leno_launch_config config = leno_launch_defaults();
  config.block[0] = 14;
  CHECK(leno_launch(device, kernel, &config, arguments, 11, NULL) == LENO_OK);
  unsigned char bytes[64];
  CHECK(leno_buffer_read(out, 0, bytes, sizeof bytes) == LENO_OK);
  uint16_t c;
  int16_t d;
  uint32_t e;
  int32_t f;
  uint64_t g, address;
  int64_t h;
  float i;
  double j;
  memcpy(&c, bytes + 2, 2);
  memcpy(&d, bytes + 4, 2);
  memcpy(&e, bytes + 8, 4);
  memcpy(&f, bytes + 12, 4);
  memcpy(&g, bytes + 16, 8);
  memcpy(&h, bytes + 24, 8);
  memcpy(&i, bytes + 32, 4);
  memcpy(&j, bytes + 40, 8);
  memcpy(&address, bytes + 48, 8);
  CHECK(bytes[0] == 200 && (signed char)bytes[1] == -3 && c == 60000 && d == -300);
  CHECK(e == 4000000000u && f == -7 && g == UINT64_C(1) << 63 && h == -9);
  CHECK(i == 1.5f && j == -2.25 && address == leno_buffer_address(out));
  leno_device_destroy(device); /* in any order */
  leno_buffer_destroy(out);
  leno_module_destroy(module);
  leno_kernel_destroy(kernel);
  return "";
}

static void count(void *data) { ++*(int *)data; }

const char *streamsRunCommands(void) {
  struct setup s;
  leno_stream *stream = NULL, *second = NULL;
  leno_event *event = NULL;
  leno_pending *pending = NULL;
  CHECK(!setUp(&s));
  CHECK(!leno_stream_create(s.device, &stream) && !leno_stream_create(s.device, &second) &&
        !leno_event_create(&event));
  leno_argument arguments[] = {leno_u32(64), leno_f32(3), leno_ptr(s.buffer)};
  float two[] = {2, 2}, back[2] = {0, 0}, last[2] = {0, 0};
  int called = 0;
  CHECK(leno_stream_write(stream, s.buffer, 0, two, sizeof two) == LENO_OK);
  CHECK(leno_stream_launch(stream, s.kernel, &s.config, arguments, 3, &pending) == LENO_OK);
  CHECK(leno_stream_read(stream, s.buffer, 4, back, sizeof back) == LENO_OK);
  CHECK(leno_stream_call(stream, count, &called) == LENO_OK);
  CHECK(leno_stream_record(stream, event) == LENO_OK);
  CHECK(leno_stream_wait(second, event) == LENO_OK);
  CHECK(leno_stream_launch(second, s.kernel, &s.config, arguments, 3, NULL) == LENO_OK);
  CHECK(leno_stream_read(second, s.buffer, 0, last, sizeof last) == LENO_OK);
  leno_result result;
  CHECK(leno_pending_wait(pending, &result) == LENO_OK && result.warp_instructions == 18);
  leno_result_clear(&result);
  CHECK(leno_event_synchronize(event) == LENO_OK && leno_event_is_done(event));
  CHECK(leno_stream_synchronize(second) == LENO_OK && leno_stream_is_idle(second));
  CHECK(called == 1 && back[0] == 6 && back[1] == 3 && last[0] == 18 && last[1] == 18);
  uint32_t word = 1;
  CHECK_SAYS(leno_stream_write_constants(second, s.module, 1, 0, &word, 4), "no constants there (.const 1)");
  leno_pending_destroy(pending);
  leno_event_destroy(event);
  leno_stream_destroy(stream);
  leno_stream_destroy(second);
  tearDown(&s);
  return "";
}

const char *streamsKeepTheirFirstError(void) {
  struct setup s;
  leno_stream *stream = NULL;
  leno_pending *pending = NULL;
  CHECK(!setUp(&s));
  CHECK(!leno_stream_create(s.device, &stream));
  leno_argument arguments[] = {leno_u32(96), leno_f32(3), leno_ptr(s.buffer)};
  s.config.block[0] = 96;
  CHECK(leno_stream_launch(stream, s.kernel, &s.config, arguments, 3, &pending) == LENO_OK);
  CHECK_SAYS(leno_stream_synchronize(stream), "kernel 'scale': ADDRESS_OUT_OF_RANGE");
  CHECK_SAYS(leno_stream_launch(stream, s.kernel, &s.config, arguments, 3, NULL), "ADDRESS_OUT_OF_RANGE");
  leno_result result;
  CHECK(leno_pending_wait(pending, &result) == LENO_TRAP && result.trapped);
  leno_result_clear(&result);
  leno_pending_destroy(pending);
  CHECK_SAYS(leno_stream_reset(stream), "ADDRESS_OUT_OF_RANGE");
  CHECK(leno_stream_synchronize(stream) == LENO_OK);
  leno_device_destroy(s.device);
  CHECK_SAYS(leno_stream_launch(stream, s.kernel, &s.config, arguments, 3, NULL),
             "the stream's device is gone");
  leno_stream_destroy(stream);
  s.device = NULL;
  tearDown(&s);
  return "";
}

/* One slot: replies with twice the word until it is told to end. */
static const char serve[] = ".kernel serve\n"
                            ".param ptr channel\n"
                            ".param u32 slotBytes\n"
                            "  MOV R4, c[0][channel]\n"
                            "  MOV R6, c[0][slotBytes]\n"
                            "  SHR.u32 R6, R6, 1\n"
                            "  IADD R6, R6, R4\n"
                            "  MOV R8, 1\n"
                            "poll: LDG R1, [R4]\n"
                            "  ISETP.ne P0, R1, RZ\n"
                            "  @P0 EXIT\n"
                            "  LDG R2, [R4+256]\n"
                            "  ISETP.ne P0, R2, R8\n"
                            "  @P0 BRA poll\n"
                            "  LDG R3, [R4+260]\n"
                            "  IADD R3, R3, R3\n"
                            "  STG [R6+260], R3\n"
                            "  STG [R6+256], R8\n"
                            "  IADD R8, R8, 1\n"
                            "  BRA poll\n"
                            ".endkernel\n";

const char *messagesAreServed(void) {
  leno_device *device = NULL;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_channel *channel = NULL;
  leno_stream *stream = NULL;
  CHECK(!leno_device_create(NULL, 0, &device) && !leno_module_assemble(serve, NULL, &module) &&
        !leno_module_kernel(module, "serve", &kernel) && !leno_channel_create(device, 1, 1, &channel) &&
        !leno_stream_create(device, &stream));
  leno_launch_config config = leno_launch_defaults();
  config.maximum_instructions = 0;
  config.channels = &channel;
  config.channel_count = 1;
  leno_argument arguments[] = {leno_ptr(leno_channel_buffer(channel)),
                               leno_u32(leno_channel_slot_bytes(channel))};
  CHECK(leno_stream_launch(stream, kernel, &config, arguments, 2, NULL) == LENO_OK);
  for (uint32_t i = 1; i <= 10; ++i) {
    uint64_t number = 0;
    uint32_t reply = 0;
    CHECK(leno_channel_send(channel, &i, 1, &number) == LENO_OK && number == i);
    CHECK(leno_channel_receive(channel, number, &reply) == LENO_OK && reply == 2 * i);
  }
  uint32_t words[2] = {0, 0};
  CHECK_SAYS(leno_channel_send(channel, words, 2, NULL), "a message of 2 words does not fit");
  CHECK(leno_channel_stop(channel) == LENO_OK);
  CHECK(leno_stream_synchronize(stream) == LENO_OK);
  leno_stream_destroy(stream);
  leno_channel_destroy(channel);
  leno_kernel_destroy(kernel);
  leno_module_destroy(module);
  leno_device_destroy(device);
  return "";
}

/* S3's table for K = 1 and T = 250, in the consumer's cache: 6T/5 + K + 1 = 302, T/5 = 50, KT/5 = 50. */
const char *scriptsArePlayed(void) {
  static const char *const settings[] = {"timing.model=cycles", "host.model=clock", "l2.model=slices"};
  leno_device *device = NULL;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_channel *channel = NULL;
  CHECK(!leno_device_create(settings, 3, &device) && !leno_module_assemble(serve, NULL, &module) &&
        !leno_module_kernel(module, "serve", &kernel));
  CHECK(!leno_channel_create_at(device, 1, 1, LENO_PLACE_CORE_CACHE, LENO_PLACE_CPU_CACHE, &channel));
  CHECK_SAYS(leno_channel_create_at(device, 1, 1, (leno_place)9, LENO_PLACE_CPU_CACHE, &channel),
             "there is no place 9");
  leno_script *script = leno_script_create();
  const uint32_t word = 21, twice = 42;
  CHECK(!leno_script_wait(script, 2000) && !leno_script_send(script, &word, 1) &&
        !leno_script_expect(script, &twice, 1) && !leno_script_at(script, 9000) && !leno_script_stop(script));
  CHECK(!leno_channel_play(channel, script));
  leno_script_destroy(script);
  CHECK_SAYS(leno_channel_send(channel, &word, 1, NULL), "the channel's host plays a script");
  leno_launch_config config = leno_launch_defaults();
  config.maximum_instructions = 0;
  config.channels = &channel;
  config.channel_count = 1;
  leno_argument arguments[] = {leno_ptr(leno_channel_buffer(channel)),
                               leno_u32(leno_channel_slot_bytes(channel))};
  CHECK(leno_launch(device, kernel, &config, arguments, 2, NULL) == LENO_OK);
  CHECK(leno_channel_played(channel) == LENO_OK);
  leno_channel_counts toCore, toHost;
  CHECK(leno_channel_get_counts(channel, &toCore, &toHost) == LENO_OK);
  CHECK(toCore.messages == 1 && toCore.write == 302 && toCore.read_ready == 50 && toCore.read_message == 50);
  CHECK(toHost.messages == 1 && toHost.write == 302 && toHost.read_ready == 50 && toHost.read_message == 50);
  CHECK(leno_device_cycle(device) > 9000);
  script = leno_channel_recorded(channel);
  CHECK(script != NULL);
  leno_script_destroy(script);
  leno_channel_destroy(channel);
  leno_kernel_destroy(kernel);
  leno_module_destroy(module);
  leno_device_destroy(device);
  return "";
}

/* Lane i stores i + more. Its message: 20 words, 3 of parameters and 2 for each of 6 instructions. With T =
 * 250, in the consumer's cache: 6T/5 + K + 1, T/5, KT/5. */
const char *launchesComeInMessages(void) {
  static const char *const settings[] = {"timing.model=cycles", "host.model=clock", "l2.model=slices"};
  static const char count[] = ".kernel count\n"
                              ".param ptr out\n"
                              ".param u32 more\n"
                              "  S2R R0, SR_TID.X\n"
                              "  SHL R1, R0, 2\n"
                              "  IADD R1, R1, c[0][out]\n"
                              "  IADD R2, R0, c[0][more]\n"
                              "  STG [R1], R2\n"
                              "  EXIT\n"
                              ".endkernel\n";
  leno_device *device = NULL;
  leno_module *module = NULL;
  leno_kernel *kernel = NULL;
  leno_channel *channel = NULL, *small = NULL;
  leno_buffer *out = NULL;
  CHECK(!leno_device_create(settings, 3, &device) && !leno_module_assemble(count, NULL, &module) &&
        !leno_module_kernel(module, NULL, &kernel) && !leno_buffer_create(device, 8, NULL, &out));
  CHECK(!leno_channel_create(device, 1, 34, &small) && !leno_channel_create(device, 1, 35, &channel));
  leno_script *script = leno_script_create();
  const uint32_t done = 0;
  CHECK(!leno_script_wait(script, 2000) && !leno_script_launch(script) &&
        !leno_script_expect(script, &done, 1));
  CHECK(!leno_channel_play(channel, script));
  leno_script_destroy(script);
  leno_launch_config config = leno_launch_defaults();
  CHECK(config.message == NULL);
  config.block[0] = 2;
  config.message = small;
  leno_argument arguments[] = {leno_ptr(out), leno_u32(5)};
  CHECK_SAYS(leno_launch(device, kernel, &config, arguments, 2, NULL), "make the channel with as many");
  config.message = channel;
  CHECK(leno_launch(device, kernel, &config, arguments, 2, NULL) == LENO_OK);
  CHECK(leno_device_run_until_idle(device) == LENO_OK && leno_channel_played(channel) == LENO_OK);
  uint32_t seen[2];
  CHECK(leno_buffer_read(out, 0, seen, sizeof seen) == LENO_OK && seen[0] == 5 && seen[1] == 6);
  leno_channel_counts toCore, toHost;
  CHECK(leno_channel_get_counts(channel, &toCore, &toHost) == LENO_OK);
  CHECK(toCore.messages == 1 && toCore.write == 336 && toCore.read_ready == 50 &&
        toCore.read_message == 35 * 50);
  CHECK(toHost.messages == 1 && leno_device_cycle(device) > 2000 + 336 + 50 + 35 * 50);
  leno_channel_destroy(channel);
  leno_channel_destroy(small);
  leno_buffer_destroy(out);
  leno_kernel_destroy(kernel);
  leno_module_destroy(module);
  leno_device_destroy(device);
  return "";
}
