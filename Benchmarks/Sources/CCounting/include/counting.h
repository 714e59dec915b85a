#ifndef COUNTING_H
#define COUNTING_H

#include <stddef.h>

/// Starts counting instructions in Valgrind's callgrind. Without Valgrind, does nothing.
void counting_start(void);

/// Stops counting instructions.
void counting_stop(void);

/// Writes a callgrind report of the instructions counted since the last report, under a name.
void counting_report(const char *name);

/// Returns the number of bytes that the program has allocated and not freed.
size_t counting_heap_in_use(void);

#endif
