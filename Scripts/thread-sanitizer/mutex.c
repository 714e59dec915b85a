// Informs the thread sanitizer of the order that a contended Swift Mutex establishes.
//
// The uncontended path of Synchronization.Mutex is compiled into its callers, so the sanitizer sees it. The contended path
// calls the standard library, which is not built for the sanitizer: the sanitizer would report each value for which two
// threads contend as a race. This library is loaded before the standard library and replaces these calls.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();  // The standard library has changed: look up the names again.
  return function;
}

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlockSlow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) {
  typedef SWIFT void (*Lock)(uint32_t, SELF void *);
  ((Lock)next(LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlockSlow(SELF void *mutex) {
  typedef SWIFT void (*Unlock)(SELF void *);
  if (__tsan_release) __tsan_release(mutex);
  ((Unlock)next(UNLOCK))(mutex);
}
