#include "COpenRuntime.h"

static _Thread_local void *held_queues = 0;

void *ocd_held_queues(void) { return held_queues; }

void ocd_set_held_queues(void *queues) { held_queues = queues; }
