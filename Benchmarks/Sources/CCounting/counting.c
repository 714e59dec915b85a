#include "counting.h"

#include <malloc.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

void counting_start(void) { CALLGRIND_START_INSTRUMENTATION; }

void counting_stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }

void counting_report(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }

size_t counting_heap_in_use(void) {
  struct mallinfo2 state = mallinfo2();
  return state.uordblks + state.hblkhd;
}
