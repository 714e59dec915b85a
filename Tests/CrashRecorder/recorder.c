#define _GNU_SOURCE
#include "CrashRecorder.h"

// The functions below have the names of the C library's own and are found first, by all libraries of the process. Each
// calls the real one, and notes what it did if a recording runs and the file is of its folder. An operation and its note
// are under one lock, so that the order of the notes is that of the operations. A fault comes before the operation.
//
// A note is a letter, the length of the path (4 bytes), a number and the count of bytes (8 bytes each), the path and the bytes:
//   C file created   D folder created   W bytes written at an offset   T file truncated   S file or folder synchronized
//   U name removed   R file renamed (the bytes are the new path)   M mark (the bytes are its text)
#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *notes;
static char folder[4096];
// Set under the lock; threads check it without the lock.
static char *paths[FILES];
static char fault;
static int64_t fault_operation;
static int64_t operations;

// Threads that look up a function at the same time find the same one.
#define REAL(result, name, ...) \
  static result (*known)(__VA_ARGS__); \
  result (*real)(__VA_ARGS__) = __atomic_load_n(&known, __ATOMIC_RELAXED); \
  if (!real) { \
    real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name); \
    __atomic_store_n(&known, real, __ATOMIC_RELAXED); \
  }

static int is_watching(void) {
  return __atomic_load_n(&notes, __ATOMIC_RELAXED) != NULL
    || __atomic_load_n(&fault, __ATOMIC_RELAXED) != 0;
}

static int is_watched(const char *path) {
  size_t length = strlen(folder);
  return is_watching() && path && strncmp(path, folder, length) == 0
    && (path[length] == '/' || path[length] == 0);
}

// Counts an operation. Returns whether it fails for want of room; a fault that kills the process does so here.
static int meets_fault(const char *path, int needs_room) {
  if (!fault || !is_watched(path)) return 0;
  operations += 1;
  if (operations < fault_operation) return 0;
  if (fault == 'K') kill(getpid(), SIGKILL);
  if (fault != 'F' || !needs_room) return 0;
  errno = ENOSPC;
  return 1;
}

static void note(
    char kind, const char *path, int64_t number, const void *bytes, uint64_t count) {
  if (!notes) return;
  uint32_t length = (uint32_t)strlen(path);
  fputc(kind, notes);
  fwrite(&length, sizeof length, 1, notes);
  fwrite(&number, sizeof number, 1, notes);
  fwrite(&count, sizeof count, 1, notes);
  fwrite(path, 1, length, notes);
  if (count > 0) fwrite(bytes, 1, count, notes);
}

int crash_record(const char *recorded, const char *log) {
  FILE *file = fopen(log, "wb");
  if (!file) return 0;
  pthread_mutex_lock(&lock);
  snprintf(folder, sizeof folder, "%s", recorded);
  __atomic_store_n(&notes, file, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
  return 1;
}

void crash_mark(const char *text) {
  pthread_mutex_lock(&lock);
  note('M', "", 0, text, strlen(text));
  pthread_mutex_unlock(&lock);
}

void crash_end(void) {
  pthread_mutex_lock(&lock);
  FILE *file = notes;
  __atomic_store_n(&notes, NULL, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
  if (file) fclose(file);
}

void crash_fault(const char *watched, char kind, int64_t operation) {
  pthread_mutex_lock(&lock);
  snprintf(folder, sizeof folder, "%s", watched);
  fault_operation = operation;
  operations = 0;
  __atomic_store_n(&fault, kind, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
}

int64_t crash_fault_end(void) {
  pthread_mutex_lock(&lock);
  __atomic_store_n(&fault, 0, __ATOMIC_RELAXED);
  int64_t count = operations;
  pthread_mutex_unlock(&lock);
  return count;
}

// MARK: Opening and closing

static void set_path(int file, char *path) {
  char *former = paths[file];
  __atomic_store_n(&paths[file], path, __ATOMIC_RELAXED);
  free(former);
}

static void opened(int file, const char *path, int flags, int existed) {
  if (file < 0 || file >= FILES || !is_watched(path)) return;
  set_path(file, strdup(path));
  if ((flags & O_CREAT) && !existed) note('C', path, 0, NULL, 0);
  if ((flags & O_TRUNC) && existed) note('T', path, 0, NULL, 0);
}

static const char *path_of(int file) {
  if (!is_watching() || file < 0 || file >= FILES) return NULL;
  return __atomic_load_n(&paths[file], __ATOMIC_RELAXED);
}

#define OPEN(function) \
  int function(const char *path, int flags, ...) { \
    REAL(int, #function, const char *, int, ...); \
    va_list arguments; \
    va_start(arguments, flags); \
    int mode = va_arg(arguments, int); \
    va_end(arguments); \
    if (!is_watching()) return real(path, flags, mode); \
    pthread_mutex_lock(&lock); \
    int existed = access(path, F_OK) == 0; \
    int fails = (flags & O_CREAT) && !existed && meets_fault(path, 1); \
    int file = fails ? -1 : real(path, flags, mode); \
    opened(file, path, flags, existed); \
    pthread_mutex_unlock(&lock); \
    return file; \
  }

OPEN(open)
OPEN(open64)

int close(int file) {
  REAL(int, "close", int);
  if (!path_of(file)) return real(file);
  pthread_mutex_lock(&lock);
  set_path(file, NULL);
  int result = real(file);
  pthread_mutex_unlock(&lock);
  return result;
}

// MARK: Writing

#define PWRITE(function, offset_type) \
  ssize_t function(int file, const void *bytes, size_t count, offset_type offset) { \
    REAL(ssize_t, #function, int, const void *, size_t, offset_type); \
    if (!path_of(file)) return real(file, bytes, count, offset); \
    pthread_mutex_lock(&lock); \
    ssize_t result = meets_fault(path_of(file), 1) ? -1 : real(file, bytes, count, offset); \
    if (result > 0 && path_of(file)) note('W', path_of(file), offset, bytes, (uint64_t)result); \
    pthread_mutex_unlock(&lock); \
    return result; \
  }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  if (!path_of(file)) return real(file, bytes, count);
  pthread_mutex_lock(&lock);
  off_t offset = lseek(file, 0, SEEK_CUR);
  ssize_t result = meets_fault(path_of(file), 1) ? -1 : real(file, bytes, count);
  if (result > 0 && path_of(file)) note('W', path_of(file), offset, bytes, (uint64_t)result);
  pthread_mutex_unlock(&lock);
  return result;
}

#define TRUNCATE(function, size_type) \
  int function(int file, size_type size) { \
    REAL(int, #function, int, size_type); \
    if (!path_of(file)) return real(file, size); \
    pthread_mutex_lock(&lock); \
    int result = meets_fault(path_of(file), 1) ? -1 : real(file, size); \
    if (result == 0 && path_of(file)) note('T', path_of(file), size, NULL, 0); \
    pthread_mutex_unlock(&lock); \
    return result; \
  }

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(function) \
  int function(int file) { \
    REAL(int, #function, int); \
    if (!path_of(file)) return real(file); \
    pthread_mutex_lock(&lock); \
    int result = meets_fault(path_of(file), 0) ? -1 : real(file); \
    if (result == 0 && path_of(file)) note('S', path_of(file), 0, NULL, 0); \
    pthread_mutex_unlock(&lock); \
    return result; \
  }

SYNC(fsync)
SYNC(fdatasync)

// MARK: Names

#define REMOVE(function) \
  int function(const char *path) { \
    REAL(int, #function, const char *); \
    if (!is_watching()) return real(path); \
    pthread_mutex_lock(&lock); \
    int result = meets_fault(path, 0) ? -1 : real(path); \
    if (result == 0 && is_watched(path)) note('U', path, 0, NULL, 0); \
    pthread_mutex_unlock(&lock); \
    return result; \
  }

REMOVE(unlink)
REMOVE(remove)
REMOVE(rmdir)

int rename(const char *path, const char *new_path) {
  REAL(int, "rename", const char *, const char *);
  if (!is_watching()) return real(path, new_path);
  pthread_mutex_lock(&lock);
  int result = meets_fault(path, 1) ? -1 : real(path, new_path);
  if (result == 0 && is_watched(path)) note('R', path, 0, new_path, strlen(new_path));
  pthread_mutex_unlock(&lock);
  return result;
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  if (!is_watching()) return real(path, mode);
  pthread_mutex_lock(&lock);
  int result = meets_fault(path, 1) ? -1 : real(path, mode);
  if (result == 0 && is_watched(path)) note('D', path, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
#else
int crash_record(const char *folder, const char *log) { return 0; }
void crash_mark(const char *text) {}
void crash_end(void) {}
void crash_fault(const char *folder, char kind, int64_t operation) {}
int64_t crash_fault_end(void) { return 0; }
#endif
