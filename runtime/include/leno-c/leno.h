/* Leno's host API for C, and for every language that can call C: the C++ API (leno/Leno.h) with opaque
 * handles.
 *
 *     #include "leno-c/leno.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *       leno_device *device = NULL;
 *       leno_module *module = NULL;
 *       leno_kernel *kernel = NULL;
 *       leno_buffer *x = NULL, *y = NULL;
 *       float ones[1000];
 *       for (int i = 0; i < 1000; ++i)
 *         ones[i] = 1;
 *       if (leno_device_create(NULL, 0, &device) || leno_module_load("saxpy.s", &module) ||
 *           leno_module_kernel(module, "saxpy", &kernel) ||
 *           leno_buffer_create(device, sizeof ones, "x", &x) ||
 *           leno_buffer_create(device, sizeof ones, "y", &y) ||
 *           leno_buffer_write(x, 0, ones, sizeof ones) ||
 *           leno_buffer_write(y, 0, ones, sizeof ones))
 *         return fprintf(stderr, "%s\n", leno_last_error()), 1;
 *       leno_launch_config config = leno_launch_defaults();
 *       config.grid[0] = 4, config.block[0] = 256;
 *       leno_argument arguments[] = {leno_u32(1000), leno_f32(2.5f), leno_ptr(x), leno_ptr(y)};
 *       if (leno_launch(device, kernel, &config, arguments, 4, NULL) ||
 *           leno_buffer_read(y, 0, ones, sizeof ones))
 *         return fprintf(stderr, "%s\n", leno_last_error()), 1;
 *       printf("y[0] = %g\n", ones[0]); // 3.5
 *       leno_buffer_destroy(x), leno_buffer_destroy(y);
 *       leno_kernel_destroy(kernel), leno_module_destroy(module), leno_device_destroy(device);
 *     }
 *
 * Every function that can fail returns a leno_status; leno_last_error() then says what is wrong and the
 * way out, and the outputs are as they were. What leno_..._create and the like give is the caller's to
 * destroy, in any order, once; destroying NULL does nothing. A handle that is NULL is a mistake like
 * others. Functions are thread-safe as those of the C++ API are.
 *
 * The floating-point environment of the calling thread (rounding, flush-to-zero, traps; -Ofast sets some)
 * changes no bit of a result, and is the same after each call. */
#ifndef LENO_LENO_H
#define LENO_LENO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum leno_status {
  LENO_OK = 0,
  LENO_ERROR = 1, /* a mistake: wrong arguments, files, sizes, handles */
  LENO_TRAP = 2   /* the kernel ran and trapped */
} leno_status;

/* What the last failure of this host thread was; "" before the first. Valid until the thread's next call that
 * fails. */
const char *leno_last_error(void);
/* "0.1.0" */
const char *leno_version(void);

typedef struct leno_device leno_device;
typedef struct leno_buffer leno_buffer;
typedef struct leno_module leno_module;
typedef struct leno_kernel leno_kernel;
typedef struct leno_channel leno_channel;
typedef struct leno_script leno_script;
typedef struct leno_stream leno_stream;
typedef struct leno_event leno_event;
typedef struct leno_pending leno_pending;
typedef struct leno_context leno_context;

/* -- The machine
 * ---------------------------------------------------------------------------------------------- */

/* The default machine, then each of `count` settings "key=value" ("sm.count=8", "memory.bytes=2GiB"). */
leno_status leno_device_create(const char *const *settings, size_t count, leno_device **device);
/* Waits for the commands of its streams, and ends its contexts; their handles are still to be destroyed. */
void leno_device_destroy(leno_device *device);
/* The value of a setting, as a number: sizes in bytes, choices counted from 0. */
leno_status leno_device_setting(const leno_device *device, const char *key, uint64_t *value);
uint64_t leno_device_bytes_allocated(const leno_device *device);

/* -- Its memory
 * ----------------------------------------------------------------------------------------------- */

/* `bytes` zeroed bytes, at least 1. `name` stands in messages and traps; NULL: "buffer". */
leno_status leno_buffer_create(leno_device *device, uint64_t bytes, const char *name, leno_buffer **buffer);
void leno_buffer_destroy(leno_buffer *buffer);
uint64_t leno_buffer_address(const leno_buffer *buffer);
uint64_t leno_buffer_size(const leno_buffer *buffer);
leno_status leno_buffer_write(leno_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes);
leno_status leno_buffer_read(const leno_buffer *buffer, uint64_t offset, void *data, uint64_t bytes);

/* -- Programs
 * ------------------------------------------------------------------------------------------------- */

/* Assembly source, an object or an executable. */
leno_status leno_module_load(const char *path, leno_module **module);
/* Source in memory; `name` stands for the file in messages; NULL: "<source>". */
leno_status leno_module_assemble(const char *source, const char *name, leno_module **module);
void leno_module_destroy(leno_module *module);
size_t leno_module_kernel_count(const leno_module *module);
/* By name; NULL or "": the only one. A kernel keeps its module alive. */
leno_status leno_module_kernel(const leno_module *module, const char *name, leno_kernel **kernel);
/* Number `index` of the module, from 0. */
leno_status leno_module_kernel_at(const leno_module *module, size_t index, leno_kernel **kernel);
void leno_kernel_destroy(leno_kernel *kernel);

/* Strings of a kernel live as long as the handle. */
const char *leno_kernel_name(const leno_kernel *kernel);
const char *leno_kernel_signature(const leno_kernel *kernel); /* "saxpy(u32 n, f32 a, ptr x, ptr y)" */
unsigned leno_kernel_registers(const leno_kernel *kernel);
uint32_t leno_kernel_shared_bytes(const leno_kernel *kernel);
size_t leno_kernel_parameter_count(const leno_kernel *kernel);
typedef struct leno_parameter {
  const char *name;
  const char *type; /* u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 ptr */
  uint32_t offset;  /* in c[0] */
  uint32_t size;    /* bytes */
} leno_parameter;
leno_status leno_kernel_parameter(const leno_kernel *kernel, size_t index, leno_parameter *parameter);

/* -- Launches
 * ------------------------------------------------------------------------------------------------- */

typedef enum leno_type {
  LENO_U8,
  LENO_I8,
  LENO_U16,
  LENO_I16,
  LENO_U32,
  LENO_I32,
  LENO_U64,
  LENO_I64,
  LENO_F32,
  LENO_F64,
  LENO_PTR
} leno_type;

/* One argument. Types must be the parameters' own. */
typedef struct leno_argument {
  leno_type type;
  union {
    uint64_t u;
    int64_t i;
    float f32;
    double f64;
    const leno_buffer *buffer;
  } value;
} leno_argument;

static inline leno_argument leno_unsigned(leno_type type, uint64_t value) {
  leno_argument argument;
  argument.type = type;
  argument.value.u = value;
  return argument;
}
static inline leno_argument leno_signed(leno_type type, int64_t value) {
  leno_argument argument;
  argument.type = type;
  argument.value.i = value;
  return argument;
}
static inline leno_argument leno_u8(uint8_t value) { return leno_unsigned(LENO_U8, value); }
static inline leno_argument leno_i8(int8_t value) { return leno_signed(LENO_I8, value); }
static inline leno_argument leno_u16(uint16_t value) { return leno_unsigned(LENO_U16, value); }
static inline leno_argument leno_i16(int16_t value) { return leno_signed(LENO_I16, value); }
static inline leno_argument leno_u32(uint32_t value) { return leno_unsigned(LENO_U32, value); }
static inline leno_argument leno_i32(int32_t value) { return leno_signed(LENO_I32, value); }
static inline leno_argument leno_u64(uint64_t value) { return leno_unsigned(LENO_U64, value); }
static inline leno_argument leno_i64(int64_t value) { return leno_signed(LENO_I64, value); }
static inline leno_argument leno_f32(float value) {
  leno_argument argument;
  argument.type = LENO_F32;
  argument.value.f32 = value;
  return argument;
}
static inline leno_argument leno_f64(double value) {
  leno_argument argument;
  argument.type = LENO_F64;
  argument.value.f64 = value;
  return argument;
}
static inline leno_argument leno_ptr(const leno_buffer *buffer) {
  leno_argument argument;
  argument.type = LENO_PTR;
  argument.value.buffer = buffer;
  return argument;
}

typedef struct leno_launch_config {
  uint32_t grid[3];              /* CTAs along each axis, at least 1 */
  uint32_t block[3];             /* threads of a CTA along each axis, at least 1 */
  uint64_t maximum_instructions; /* the watchdog: warp instructions of the whole grid; 0: no limit */
  unsigned threads;              /* host threads; 0: as many as are good (LaunchConfig::threads) */
  int statistics;                /* not 0: count */
  leno_channel *const *channels; /* served while the kernel runs */
  size_t channel_count;
  int overlap;        /* not 0: need not wait for the launch before it to end (LaunchConfig::overlap) */
  const char *checks; /* "memory,race", "all": LaunchConfig::checks; NULL: none */
  uint32_t shared_bytes; /* of each CTA beyond the kernel's own variables (LaunchConfig::sharedBytes) */
  uint64_t stack_depth;  /* nesting limit of its warps' stacks (LaunchConfig::stackDepth); 0: the context's */
  const char *profile;   /* a folder, for a report (LaunchConfig::profile); NULL: none */
  const char
      *tier; /* "auto", "interpreter", "compiled" (LaunchConfig::tier); NULL: LENO_TIER, or interpreter */
  leno_channel *message; /* brings the launch, code included (LaunchConfig::message); NULL: none */
} leno_launch_config;
/* One CTA of one thread, the usual watchdog, no statistics. */
leno_launch_config leno_launch_defaults(void);

typedef struct leno_statistics {
  uint64_t ctas, warps, warp_instructions, lane_operations, branches, divergent_branches;
  uint64_t stack_pushes, stack_pops, max_stack_depth, stack_entries_spilled, stack_entries_restored;
  uint64_t stack_stall_cycles, global_bytes_loaded, global_bytes_stored, barrier_arrivals;
  uint64_t cycles, l2_requests, l2_hits, host_requests, host_hits;
} leno_statistics;

/* A mistake that a check has found (leno/Launch.h, Finding). */
typedef struct leno_finding {
  const char *check, *kind; /* "race", "store-after-load" */
  const char *text;         /* several lines: both places, source lines, notes */
  const char *file;         /* of the later place; NULL when the module has no line table */
  unsigned line;            /* from 1; 0 when unknown */
  uint64_t count;           /* equal ones */
} leno_finding;

/* What a launch did. Strings live until leno_result_clear. */
typedef struct leno_result {
  int trapped;            /* not 0: the kernel trapped, and the following tell of it */
  const char *trap_kind;  /* "ADDRESS_OUT_OF_RANGE"; NULL when it did not, as all strings below */
  const char *trap_text;  /* one line with everything below */
  const char *trap_label; /* "saxpy+0x48" */
  const char *trap_file;  /* NULL when the module has no line table */
  unsigned trap_line;     /* from 1; 0 when unknown */
  uint64_t trap_pc;
  uint32_t trap_cta[3];
  unsigned trap_warp;
  uint32_t trap_lanes; /* bit 0 is lane 0 */
  int trap_has_address;
  uint64_t trap_address; /* of the lowest lane at fault */
  uint64_t warp_instructions;
  int has_statistics;
  leno_statistics statistics;   /* when the configuration asked for them */
  const leno_finding *findings; /* of leno_launch_config::checks */
  size_t finding_count;
  void *owned; /* the strings */
} leno_result;
void leno_result_clear(leno_result *result);

/* Runs a kernel in the device's own context to its end. LENO_TRAP: it trapped; leno_last_error() is the
 * trap's text. `result` may be NULL; it is filled on LENO_OK and LENO_TRAP, and is the caller's to clear. */
leno_status leno_launch(leno_device *device, const leno_kernel *kernel, const leno_launch_config *config,
                        const leno_argument *arguments, size_t count, leno_result *result);

/* -- Messages to a kernel that runs (leno/Messages.h)
 * ----------------------------------------------------------- */

leno_status leno_channel_create(leno_device *device, uint32_t slots, uint32_t words, leno_channel **channel);
void leno_channel_destroy(leno_channel *channel);
/* What the kernel gets as its argument; the channel's own, not to be destroyed. */
const leno_buffer *leno_channel_buffer(const leno_channel *channel);
uint32_t leno_channel_slot_bytes(const leno_channel *channel);
leno_status leno_channel_send(leno_channel *channel, const uint32_t *words, size_t count, uint64_t *number);
/* Waits for the reply to message `number`; `words` has room for as many words as the channel's messages have.
 */
leno_status leno_channel_receive(leno_channel *channel, uint64_t number, uint32_t *words);
leno_status leno_channel_stop(leno_channel *channel);

/* With host.model=clock: where messages are left (S3), what the host does as a script, and what messages took,
 * in cycles of the machine's clock. */
typedef enum {
  LENO_PLACE_CORE_CACHE,
  LENO_PLACE_PPU_MEMORY,
  LENO_PLACE_CPU_CACHE,
  LENO_PLACE_SYSTEM_MEMORY
} leno_place;
leno_status leno_channel_create_at(leno_device *device, uint32_t slots, uint32_t words, leno_place requests,
                                   leno_place replies, leno_channel **channel);

leno_script *leno_script_create(void);
void leno_script_destroy(leno_script *script);
leno_status leno_script_send(leno_script *script, const uint32_t *words, size_t count);
/* The oldest reply that nothing has been expected of begins with these words. */
leno_status leno_script_expect(leno_script *script, const uint32_t *words, size_t count);
leno_status leno_script_wait(leno_script *script, uint64_t cycles);
leno_status leno_script_at(leno_script *script, uint64_t cycle);
leno_status leno_script_stop(leno_script *script);
/* Sends the next launch whose leno_launch_config::message is the channel. */
leno_status leno_script_launch(leno_script *script);
/* In place of sends: what the next launch with the channel meets. The script is copied. */
leno_status leno_channel_play(leno_channel *channel, const leno_script *script);
/* What host threads have sent and when; the caller's to destroy. NULL for no channel. */
leno_script *leno_channel_recorded(const leno_channel *channel);
/* Fails when a reply was not as the script expects, or one did not come. */
leno_status leno_channel_played(const leno_channel *channel);

/* As leno::ChannelCounts. */
typedef struct {
  uint64_t messages, write, read_ready, read_message;
  uint64_t polls, poll_wait, issue, misses, slice_wait, link_wait, longest;
} leno_channel_counts;
/* Either may be NULL. */
leno_status leno_channel_get_counts(const leno_channel *channel, leno_channel_counts *to_core,
                                    leno_channel_counts *to_host);

/* -- Streams (leno/Stream.h)
 * ------------------------------------------------------------------------------------ */

leno_status leno_stream_create(leno_device *device, leno_stream **stream);
/* Waits for its commands. */
void leno_stream_destroy(leno_stream *stream);
/* `pending` may be NULL. */
leno_status leno_stream_launch(leno_stream *stream, const leno_kernel *kernel,
                               const leno_launch_config *config, const leno_argument *arguments, size_t count,
                               leno_pending **pending);
/* `data` is copied now. */
leno_status leno_stream_write(leno_stream *stream, const leno_buffer *buffer, uint64_t offset,
                              const void *data, uint64_t bytes);
/* `data` must live until the stream has come that far. */
leno_status leno_stream_read(leno_stream *stream, const leno_buffer *buffer, uint64_t offset, void *data,
                             uint64_t bytes);
leno_status leno_stream_write_constants(leno_stream *stream, const leno_module *module, unsigned bank,
                                        uint32_t offset, const void *data, uint64_t bytes);
leno_status leno_stream_record(leno_stream *stream, leno_event *event);
leno_status leno_stream_wait(leno_stream *stream, const leno_event *event);
/* Calls function(data) on the stream's thread, in its turn. */
leno_status leno_stream_call(leno_stream *stream, void (*function)(void *data), void *data);
int leno_stream_is_idle(const leno_stream *stream);
/* The first error of the stream, once nothing is left to do. */
leno_status leno_stream_synchronize(leno_stream *stream);
/* The same; then the stream is as new. */
leno_status leno_stream_reset(leno_stream *stream);

leno_status leno_event_create(leno_event **event);
void leno_event_destroy(leno_event *event);
int leno_event_is_done(const leno_event *event);
leno_status leno_event_synchronize(const leno_event *event);

/* Waits for a launch of a stream, or runs the machine until a launch of a context has ended; as leno_launch.
 */
leno_status leno_pending_wait(const leno_pending *pending, leno_result *result);
int leno_pending_is_done(const leno_pending *pending);
#define LENO_NOT_YET UINT64_MAX
typedef struct leno_launch_cycles {
  uint64_t decoded, started, ended; /* of the machine, or LENO_NOT_YET */
} leno_launch_cycles;
/* LENO_NOT_YET all of them for a launch alone. */
leno_status leno_pending_cycles(const leno_pending *pending, leno_launch_cycles *cycles);
void leno_pending_destroy(leno_pending *pending);

/* -- Several contexts on one machine (leno/Device.h, leno/Context.h)
 * -------------------------------------------- */

/* Cycles since it was made; launches alone take none. */
uint64_t leno_device_cycle(const leno_device *device);
typedef enum leno_run_stop {
  LENO_IDLE,  /* no context has anything left to do */
  LENO_CYCLE, /* the cycles asked for have passed */
  LENO_STUCK  /* all that have something to do wait for semaphores */
} leno_run_stop;
/* `stop` may be NULL. */
leno_status leno_device_run(leno_device *device, uint64_t cycles, leno_run_stop *stop);
/* An error when contexts wait for semaphores that nobody will release: it says who. */
leno_status leno_device_run_until_idle(leno_device *device);
/* `why` may be NULL. */
leno_status leno_device_kill(leno_device *device, leno_context *context, const char *why);
leno_status leno_device_release(leno_device *device, uint32_t semaphore, uint64_t value);
uint64_t leno_device_semaphore(const leno_device *device, uint32_t semaphore);
/* Writes up to `size` bytes of "context 'b' waits for semaphore 3 to reach 2, and it is 0; ..." with a zero
 * behind; returns the text's length, 0 when nobody waits. */
size_t leno_device_waits(const leno_device *device, char *text, size_t size);
typedef struct leno_context_event {
  uint64_t cycle;
  const char *context; /* its name or number */
  const char *kind;    /* "SmSaves", "GridStarts", ... */
  const char *text;    /* all of it in one line */
} leno_context_event;
/* Calls function(event, data) for each event from now on; NULL: no more. The event's strings live until it
 * returns. It must use nothing of the machine. The end of the device is not told. */
leno_status leno_device_on_event(leno_device *device,
                                 void (*function)(const leno_context_event *event, void *data), void *data);

typedef struct leno_context_settings {
  const char *name;  /* for messages; NULL: its number */
  int priority;      /* those of higher priority get SMs first */
  uint64_t sms;      /* its part of a static split; 0: an equal part of what the others leave */
  uint64_t watchdog; /* cycles that a grid of it may take; 0: what contexts.watchdog says */
  uint64_t stack_depth; /* nesting limit of its launches; 0: warp.stackDepth */
} leno_context_settings;
/* One more context. `settings` may be NULL. */
leno_status leno_context_create(leno_device *device, const leno_context_settings *settings,
                                leno_context **context);
/* The device's own, in which leno_buffer_create, leno_launch and leno_stream_create work; not to be
 * destroyed, and gone with the device. */
leno_context *leno_device_context(leno_device *device);
/* Waits for the context's streams and ends it, whatever its commands: leno_context_synchronize first. */
void leno_context_destroy(leno_context *context);
/* Memory of the context; as leno_buffer_create. */
leno_status leno_context_buffer_create(leno_context *context, uint64_t bytes, const char *name,
                                       leno_buffer **buffer);
/* The same; pages are mapped when kernels first touch them: each first touch is a page fault. */
leno_status leno_context_buffer_create_on_demand(leno_context *context, uint64_t bytes, const char *name,
                                                 leno_buffer **buffer);
/* As leno_channel_create and leno_stream_create. */
leno_status leno_context_channel_create(leno_context *context, uint32_t slots, uint32_t words,
                                        leno_channel **channel);
leno_status leno_context_stream_create(leno_context *context, leno_stream **stream);

/* Commands, in the order of the calls. Nothing runs before the machine does: by leno_device_run and the
 * like, leno_context_synchronize or leno_pending_wait. `pending` may be NULL. */
leno_status leno_context_launch(leno_context *context, const leno_kernel *kernel,
                                const leno_launch_config *config, const leno_argument *arguments,
                                size_t count, leno_pending **pending);
/* `data` is copied now. */
leno_status leno_context_write(leno_context *context, const leno_buffer *buffer, uint64_t offset,
                               const void *data, uint64_t bytes);
/* `data` must live until the stream has come that far. */
leno_status leno_context_read(leno_context *context, const leno_buffer *buffer, uint64_t offset, void *data,
                              uint64_t bytes);
leno_status leno_context_copy(leno_context *context, const leno_buffer *from, uint64_t from_offset,
                              const leno_buffer *to, uint64_t to_offset, uint64_t bytes);
leno_status leno_context_write_constants(leno_context *context, const leno_module *module, unsigned bank,
                                         uint32_t offset, const void *data, uint64_t bytes);
leno_status leno_context_release(leno_context *context, uint32_t semaphore, uint64_t value);
leno_status leno_context_acquire(leno_context *context, uint32_t semaphore, uint64_t value);
leno_status leno_context_sync_token(leno_context *context, uint32_t tile_x, uint32_t tile_y);
/* A sync token that waits for no launch (Context::remap). */
leno_status leno_context_remap(leno_context *context, uint32_t tile_x, uint32_t tile_y);
/* At once, while it runs (Context::setPriority, Context::setSms). */
leno_status leno_context_set_priority(leno_context *context, int priority);
leno_status leno_context_set_sms(leno_context *context, uint64_t sms);

int leno_context_is_idle(const leno_context *context);
leno_status leno_context_synchronize(leno_context *context);
/* An error that says why the context has ended. */
leno_status leno_context_status(const leno_context *context);
typedef struct leno_context_counts {
  uint64_t commands, warp_instructions, run_cycles, blocked_cycles, sm_cycles, switch_cycles;
  uint64_t saves, restores, drains, saved_bytes, restored_bytes, page_faults, slices_gained, slices_lost;
  uint64_t l2_requests, l2_hits;
} leno_context_counts;
leno_status leno_context_get_counts(const leno_context *context, leno_context_counts *counts);
/* SMs that have its state now. */
unsigned leno_context_sms(const leno_context *context);

#ifdef __cplusplus
}
#endif
#endif
