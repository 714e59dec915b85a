#ifndef COUNTING_H
#define COUNTING_H

#include <stddef.h>

/// Lets valgrind's callgrind count instructions from here on; elsewhere nothing happens.
void counting_start(void);

/// Ends what `counting_start` began.
void counting_stop(void);

/// Lets callgrind write down what was counted since the last report, under a name.
void counting_report(const char *name);

/// Bytes that the program has allocated and not freed.
size_t counting_heap_in_use(void);

#endif
