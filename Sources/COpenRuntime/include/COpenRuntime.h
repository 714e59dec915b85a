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
/// Use this function for tables that contain an object's address without owning the object. The
/// memory must still be allocated, for example because the object's `deinit` waits for a lock that
/// the caller holds.
///
/// @param object The address of a native Swift object.
/// @return The object, retained for the caller, or null if its deallocation has begun.
void *_Nullable ocd_try_retain(void *object);

/// Prefetches memory that will be read soon, in lines of 64 bytes. The memory may be unallocated.
static inline void ocd_prefetch(const void *start, size_t count) {
  const char *end = (const char *)start + count;
  for (const char *line = start; line < end; line += 64) __builtin_prefetch(line);
}

/// The encoding of bytes.
typedef enum ocd_text_kind {
  OCD_TEXT_INVALID,
  OCD_TEXT_UTF8,
  OCD_TEXT_ASCII,
} ocd_text_kind;

/// Returns the encoding of bytes: ASCII, other well-formed UTF-8, or invalid. The function checks
/// ASCII bytes in blocks.
///
/// @param text The bytes; may be null if the count is 0.
/// @param count The number of bytes.
ocd_text_kind ocd_kind_of_text(const void *_Nullable text, size_t count);

/// Returns whether up to 15 bytes are ASCII.
///
/// @param text The bytes; may be null if the count is 0.
/// @param count The number of bytes.
static inline bool ocd_is_short_ascii(const void *_Nullable text, size_t count) {
  const char *bytes = (const char *)text;
  uint64_t first = 0, last = 0;
  if (count >= sizeof(uint64_t)) {
    __builtin_memcpy(&first, bytes, sizeof first);
    __builtin_memcpy(&last, bytes + count - sizeof last, sizeof last);
  } else {
    for (size_t i = 0; i < count; i++) first |= (unsigned char)bytes[i];
  }
  return !((first | last) & 0x8080808080808080);
}

/// Returns the pointer that the current thread last set with `ocd_set_held_queues`; initially null.
void *_Nullable ocd_held_queues(void);

/// Sets a pointer for the current thread only: the list of queues whose blocks the thread executes.
void ocd_set_held_queues(void *_Nullable queues);

/// Whether Observation tracks the code that the current thread executes.
extern _Thread_local bool ocd_tracking;

/// Records that Observation tracks the code that the current thread executes.
void ocd_note_tracking(void);

/// Returns whether `ocd_note_tracking` was called on the current thread since the last call.
static inline bool ocd_take_tracking(void) {
  if (__builtin_expect(!ocd_tracking, 1)) return false;
  ocd_tracking = false;
  return true;
}

/// Returns the pointer set with `ocd_set_tracking_probe`; initially null. Usable on any thread.
static inline void *_Nullable ocd_tracking_probe(void) {
  extern void *_Nullable ocd_shared_probe;
  return __atomic_load_n(&ocd_shared_probe, __ATOMIC_ACQUIRE);
}

/// Sets a pointer for all threads, unless a pointer has been set before.
///
/// @return The pointer that is set after the call.
void *ocd_set_tracking_probe(void *probe);

/// An object whose SwiftData model is being created, and the model's class.
typedef struct {
  void *_Nullable object;
  const void *_Nullable model;
} ocd_handed;

/// The value that `ocd_hand_over` keeps for the current thread.
extern _Thread_local ocd_handed ocd_kept_handed;

/// Returns the class of the model for which an object was passed to `ocd_hand_over`; null if there is
/// no such object.
static inline const void *_Nullable ocd_handed_model(void) { return ocd_kept_handed.model; }

/// Returns the value that was passed to `ocd_hand_over` on the current thread, and removes it. The
/// fields are null if there is no value.
static inline ocd_handed ocd_take_handed(void) {
  ocd_handed taken = ocd_kept_handed;
  ocd_kept_handed = (ocd_handed){0, 0};
  return taken;
}

/// Keeps an object for the code that next calls `ocd_take_handed` on the current thread.
static inline void ocd_hand_over(ocd_handed next) { ocd_kept_handed = next; }

/// Returns the pointer that the current thread last set with `ocd_set_initial_values`.
void *_Nullable ocd_initial_values(void);

/// Sets the initial values of the models that are being initialized on the current thread.
void ocd_set_initial_values(void *_Nullable values);

/// A function that accepts or rejects a class with the given name.
///
/// @param metadata The class; in Swift, `unsafeBitCast(metadata, to: AnyClass.self)`.
/// @param context The pointer given to `ocd_find_class`.
/// @return `true` to accept the class, `false` to continue the search.
typedef bool (*ocd_accept_class)(const void *metadata, void *_Nullable context);

/// Finds a Swift class by its name in all loaded images. The class may be unregistered.
///
/// The last component of `name` is the name of the class, or the name in `@ManagedObject("Name")`.
/// The preceding components are the name of the module and the names of enclosing types, in this
/// order. Any of these components can be omitted: `Forum`, `App.Forum`, `Model.Forum` and
/// `App.Model.Forum` all find the class `Forum` in the type `Model`. Generic classes are never
/// found. The function initializes only the metadata of candidates.
///
/// Usable on any thread. The function reads all type records, so callers should cache the result.
///
/// @param name The name of the class, with dots between its components.
/// @param accept The function that is called for each candidate, in the order of the images, until it
///   returns `true`.
/// @param context The pointer to pass to `accept`.
/// @return The accepted class, or null if there is none or the system has no ELF images.
const void *_Nullable ocd_find_class(
    const char *name, ocd_accept_class accept, void *_Nullable context);

/// Returns the name that a class has in addition to its Swift name: the name in
/// `@ManagedObject("Name")`, or in `@objc(Name)` of a source that the build plug-in rewrote.
///
/// Usable on any thread. The function reads all type records, so callers should cache the result.
///
/// @param metadata The class; in Swift, `unsafeBitCast(type, to: UnsafeRawPointer.self)`.
/// @param simple_name The Swift name of the class without its module and enclosing types.
/// @return The name, or null if the class has no such name or the system has no ELF images.
const char *_Nullable ocd_marked_name(const void *metadata, const char *simple_name);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif
