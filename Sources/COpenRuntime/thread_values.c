#include "COpenRuntime.h"

static _Thread_local void *held_queues = 0;

void *ocd_held_queues(void) { return held_queues; }

void ocd_set_held_queues(void *queues) { held_queues = queues; }

static _Thread_local bool is_tracked = false;

void ocd_note_tracking(void) { is_tracked = true; }

bool ocd_take_tracking(void) {
  if (!is_tracked) return false;
  is_tracked = false;
  return true;
}

static _Thread_local ocd_handed handed = {0, 0};

ocd_handed ocd_take_handed(void) {
  ocd_handed taken = handed;
  handed = (ocd_handed){0, 0};
  return taken;
}

void ocd_hand_over(ocd_handed next) { handed = next; }

static _Thread_local void *initial_values = 0;

void *ocd_initial_values(void) { return initial_values; }

void ocd_set_initial_values(void *values) { initial_values = values; }
