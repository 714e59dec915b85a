#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Retains a Swift object unless it is already being deallocated.
///
/// For tables that keep an object's address without owning it. The caller must know that the memory
/// itself is still there, for example because the object's `deinit` waits for the lock that the
/// caller holds.
///
/// @param object The address of a native Swift object.
/// @return The object, retained for the caller, or null when its deallocation has begun.
void *_Nullable ocd_try_retain(void *object);

/// Brings memory near that will be read soon, by lines of 64 bytes; none of it need be there.
static inline void ocd_prefetch(const void *start, size_t count) {
  const char *end = (const char *)start + count;
  for (const char *line = start; line < end; line += 64) __builtin_prefetch(line);
}

/// What the bytes of a text are.
typedef enum ocd_text_kind {
  OCD_TEXT_INVALID,
  OCD_TEXT_UTF8,
  OCD_TEXT_ASCII,
} ocd_text_kind;

/// Tells whether bytes are well-formed UTF-8, in a pass that costs little where they are ASCII.
///
/// @param text The bytes; may be null when there are none.
/// @param count How many there are.
ocd_text_kind ocd_kind_of_text(const void *_Nullable text, size_t count);

/// What the current thread noted last with `ocd_set_held_queues`; null at first.
void *_Nullable ocd_held_queues(void);

/// Notes a pointer for the current thread only; for the list of queues that it works for.
void ocd_set_held_queues(void *_Nullable queues);

/// Whether the code that the current thread runs is tracked, as a probe of Swift's Observation noted it.
extern _Thread_local bool ocd_tracking;

/// Notes that the code that the current thread runs is tracked.
void ocd_note_tracking(void);

/// Whether `ocd_note_tracking` was called on the current thread since the last call.
static inline bool ocd_take_tracking(void) {
  if (__builtin_expect(!ocd_tracking, 1)) return false;
  ocd_tracking = false;
  return true;
}

/// What `ocd_set_tracking_probe` was called with; null before. Any thread.
static inline void *_Nullable ocd_tracking_probe(void) {
  extern void *_Nullable ocd_shared_probe;
  return __atomic_load_n(&ocd_shared_probe, __ATOMIC_ACQUIRE);
}

/// Notes a pointer for all threads, unless one was noted before.
///
/// @return The pointer that is noted from then on.
void *ocd_set_tracking_probe(void *probe);

/// An object that waits for the model that is made for it, and the model's class.
typedef struct {
  void *_Nullable object;
  const void *_Nullable model;
} ocd_handed;

/// The class of the model that `ocd_hand_over` handed an object for; null if nothing.
const void *_Nullable ocd_handed_model(void);

/// What `ocd_hand_over` handed to the next taker on the current thread; empty if nothing, and from then on.
ocd_handed ocd_take_handed(void);

/// Hands an object to the code that is called next on the current thread.
void ocd_hand_over(ocd_handed handed);

/// What `ocd_set_initial_values` was last called with on the current thread.
void *_Nullable ocd_initial_values(void);

/// Notes which sub-models are being initialized on the current thread.
void ocd_set_initial_values(void *_Nullable values);

/// Decides about one class that has the wanted name.
///
/// @param metadata The class; in Swift, `unsafeBitCast(metadata, to: AnyClass.self)`.
/// @param context The pointer given to `ocd_find_class`.
/// @return Whether this is the class; `false` continues the search.
typedef bool (*ocd_accept_class)(const void *metadata, void *_Nullable context);

/// Finds a Swift class by name among all loaded images, without registration.
///
/// The last component of `name` is the class's own name, or the name that `@ManagedObject("Name")`
/// gave it. Components before it must name enclosing types or the module, in this order; any of
/// them may be left out, so that `Forum`, `App.Forum`, `Model.Forum` and `App.Model.Forum` all find
/// `Forum` nested in `Model`. Generic classes are never found. No other class than the candidates
/// is initialized.
///
/// Any thread; costs a pass over all type records, so callers keep the answer.
///
/// @param name The name to look for, with dots between components.
/// @param accept Called for each candidate in the order of the images, until it returns `true`.
/// @param context Handed to `accept`.
/// @return The accepted class, or null when there is none or on systems without ELF images.
const void *_Nullable ocd_find_class(
    const char *name, ocd_accept_class accept, void *_Nullable context);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif
