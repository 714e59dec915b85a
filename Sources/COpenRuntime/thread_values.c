#include "COpenRuntime.h"

static _Thread_local void *held_queues = 0;

void *ocd_held_queues(void) { return held_queues; }

void ocd_set_held_queues(void *queues) { held_queues = queues; }

_Thread_local bool ocd_tracking = false;

void ocd_note_tracking(void) { ocd_tracking = true; }

void *_Nullable ocd_shared_probe = 0;

void *ocd_set_tracking_probe(void *probe) {
  void *known = 0;
  bool is_first = __atomic_compare_exchange_n(
      &ocd_shared_probe, &known, probe, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return is_first ? probe : known;
}

_Thread_local ocd_handed ocd_kept_handed = {0, 0};

static _Thread_local void *initial_values = 0;

void *ocd_initial_values(void) { return initial_values; }

void ocd_set_initial_values(void *values) { initial_values = values; }
