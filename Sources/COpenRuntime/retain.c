#include "COpenRuntime.h"

// Exported by the Swift runtime on every platform.
extern void *_Nullable swift_tryRetain(void *_Nonnull object);

void *ocd_try_retain(void *object) { return swift_tryRetain(object); }
