// A condition that does not hold stops the lane: a breakpoint in the debugger, a trap without one.
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#endif
#define static_assert _Static_assert
