#include "COpenSupport.h"

#include <string.h>

// SQLite writes each page of its log with two calls of the system, one for the 24 bytes of its frame's header. Files
// of logs are opened so that the header waits for the page, and both are one call. All other files are the system's own.

enum { FRAME_HEADER = 24, LARGEST_PAGE = 4096 };

typedef struct {
  sqlite3_file base;
  // The system's file, behind this structure.
  sqlite3_file *file;
  // Where what was written so far ends. Only a header there is followed by its page: SQLite also writes headers of
  // frames that are there anew.
  sqlite3_int64 end;
  sqlite3_int64 waiting_at;
  int is_waiting;
  char frame[FRAME_HEADER + LARGEST_PAGE];
} log_file;

static inline log_file *log_of(sqlite3_file *file) { return (log_file *)file; }

// Writes a header that waits for a page which does not come.
static int settle(log_file *log) {
  if (!log->is_waiting) return SQLITE_OK;
  log->is_waiting = 0;
  return log->file->pMethods->xWrite(log->file, log->frame, FRAME_HEADER, log->waiting_at);
}

static int write_log(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  log_file *log = log_of(file);
  const sqlite3_io_methods *methods = log->file->pMethods;
  if (log->is_waiting && offset == log->waiting_at + FRAME_HEADER && count <= LARGEST_PAGE) {
    log->is_waiting = 0;
    memcpy(log->frame + FRAME_HEADER, bytes, (size_t)count);
    log->end = offset + count;
    return methods->xWrite(log->file, log->frame, FRAME_HEADER + count, log->waiting_at);
  }
  int code = settle(log);
  if (code != SQLITE_OK) return code;
  if (count == FRAME_HEADER && offset >= log->end) {
    memcpy(log->frame, bytes, FRAME_HEADER);
    log->waiting_at = offset;
    log->is_waiting = 1;
    return SQLITE_OK;
  }
  // At its start the log begins anew.
  if (offset == 0 || offset + count > log->end) log->end = offset + count;
  return methods->xWrite(log->file, bytes, count, offset);
}

static int read_log(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = settle(log_of(file));
  sqlite3_file *own = log_of(file)->file;
  return code != SQLITE_OK ? code : own->pMethods->xRead(own, bytes, count, offset);
}

static int truncate_log(sqlite3_file *file, sqlite3_int64 size) {
  int code = settle(log_of(file));
  sqlite3_file *own = log_of(file)->file;
  log_of(file)->end = size;
  return code != SQLITE_OK ? code : own->pMethods->xTruncate(own, size);
}

static int sync_log(sqlite3_file *file, int flags) {
  int code = settle(log_of(file));
  sqlite3_file *own = log_of(file)->file;
  return code != SQLITE_OK ? code : own->pMethods->xSync(own, flags);
}

static int size_of_log(sqlite3_file *file, sqlite3_int64 *size) {
  int code = settle(log_of(file));
  sqlite3_file *own = log_of(file)->file;
  return code != SQLITE_OK ? code : own->pMethods->xFileSize(own, size);
}

static int close_log(sqlite3_file *file) {
  int code = settle(log_of(file));
  sqlite3_file *own = log_of(file)->file;
  int closed = own->pMethods->xClose(own);
  return code != SQLITE_OK ? code : closed;
}

static int lock_log(sqlite3_file *file, int lock) {
  sqlite3_file *own = log_of(file)->file;
  return own->pMethods->xLock(own, lock);
}

static int unlock_log(sqlite3_file *file, int lock) {
  sqlite3_file *own = log_of(file)->file;
  return own->pMethods->xUnlock(own, lock);
}

static int check_lock_of_log(sqlite3_file *file, int *is_reserved) {
  sqlite3_file *own = log_of(file)->file;
  return own->pMethods->xCheckReservedLock(own, is_reserved);
}

static int control_log(sqlite3_file *file, int operation, void *argument) {
  int code = settle(log_of(file));
  sqlite3_file *own = log_of(file)->file;
  return code != SQLITE_OK ? code : own->pMethods->xFileControl(own, operation, argument);
}

static int sector_size_of_log(sqlite3_file *file) {
  sqlite3_file *own = log_of(file)->file;
  return own->pMethods->xSectorSize(own);
}

static int characteristics_of_log(sqlite3_file *file) {
  sqlite3_file *own = log_of(file)->file;
  return own->pMethods->xDeviceCharacteristics(own);
}

static const sqlite3_io_methods log_methods = {
  .iVersion = 1,
  .xClose = close_log,
  .xRead = read_log,
  .xWrite = write_log,
  .xTruncate = truncate_log,
  .xSync = sync_log,
  .xFileSize = size_of_log,
  .xLock = lock_log,
  .xUnlock = unlock_log,
  .xCheckReservedLock = check_lock_of_log,
  .xFileControl = control_log,
  .xSectorSize = sector_size_of_log,
  .xDeviceCharacteristics = characteristics_of_log,
};

// The system's own files, of which ours are made; set once before any connection is opened.
static sqlite3_vfs *system_files;

static int open_file(
    sqlite3_vfs *files, const char *name, sqlite3_file *file, int flags, int *result_flags) {
  (void)files;
  if (!(flags & SQLITE_OPEN_WAL)) {
    return system_files->xOpen(system_files, name, file, flags, result_flags);
  }
  log_file *log = log_of(file);
  memset(log, 0, sizeof *log);
  log->file = (sqlite3_file *)(log + 1);
  int code = system_files->xOpen(system_files, name, log->file, flags, result_flags);
  // SQLite closes what has methods, also after a failure.
  if (log->file->pMethods) log->base.pMethods = &log_methods;
  return code;
}

const char *ocd_offer_logs(void) {
  static const char name[] = "OpenCoreData";
  static sqlite3_vfs files;
  system_files = sqlite3_vfs_find(NULL);
  if (!system_files) return NULL;
  // Everything but opening is the system's, which takes what it needs to know from the copied fields.
  files = *system_files;
  files.pNext = NULL;
  files.zName = name;
  files.szOsFile = (int)sizeof(log_file) + system_files->szOsFile;
  files.xOpen = open_file;
  return sqlite3_vfs_register(&files, 0) == SQLITE_OK ? name : NULL;
}
