#include "files.h"

#include <string.h>
#include <sys/stat.h>

// SQLite files that wrap the system's files to reduce the number of system calls. SQLite writes each page of its log with
// two calls, one for the 24 bytes of the frame header; these files gather the frames of a transaction and write them
// together, at the latest with the commit frame. SQLite reads one page with each call; these files read ahead: a checkpoint
// in the log, and a transaction in the database, where it reads pages in order. The written bytes and the time of each
// sync are the same as in SQLite. Only databases and logs are wrapped.

// The system's VFS; set once, before any connection is opened.
static sqlite3_vfs *system_files;

// MARK: Reading ahead

// The pages that were read ahead may be out of date.
static void forget(ahead *ahead) {
  memset(ahead->windows, 0, sizeof ahead->windows);
  ahead->size = 0;
}

// Returns a window for reads at another offset, preferably an empty one.
static int free_window(ahead *ahead) {
  int first = ahead->next;
  ahead->next = (first + 1) % WINDOWS;
  for (int i = 0; i < WINDOWS; i++) {
    int place = (first + i) % WINDOWS;
    if (ahead->windows[place].run < 2) return place;
  }
  return first;
}

// Reads ahead into the buffer of a window.
static int fill(ahead *ahead, int place, sqlite3_file *file, int count, sqlite3_int64 offset) {
  window *known = &ahead->windows[place];
  if (ahead->size == 0) {
    int code = ahead->methods->xFileSize(file, &ahead->size);
    if (code != SQLITE_OK) return code;
  }
  // Longer sequences read more.
  sqlite3_int64 length = WINDOW_ROOM;
  if (known->run < 4) length = (sqlite3_int64)(count + FRAME_HEADER) << (known->run - 1);
  if (length > WINDOW_ROOM) length = WINDOW_ROOM;
  if (length > ahead->size - offset) length = ahead->size - offset;
  known->start = known->end = 0;
  // SQLite itself handles reads beyond the end.
  if (length < count) return SQLITE_IOERR_SHORT_READ;
  char *room = ahead->room + place * WINDOW_ROOM;
  int code = ahead->methods->xRead(file, room, (int)length, offset);
  if (code != SQLITE_OK) return code;
  known->start = offset;
  known->end = offset + length;
  return SQLITE_OK;
}

// Reads a page; passes reads of other sizes to the system.
static int read_ahead(
    ahead *ahead, sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (count < SMALLEST_PAGE || count > WINDOW_ROOM) {
    return ahead->methods->xRead(file, bytes, count, offset);
  }
  int place = 0;
  window *known = ahead->windows;
  while (place < WINDOWS && (offset < known->start || offset > known->end + WINDOW_ROOM)) {
    place++;
    known++;
  }
  if (place == WINDOWS) {
    known = &ahead->windows[free_window(ahead)];
    known->run = 0;
  } else if (known->run >= 2 && offset + count <= known->end) {
    memcpy(bytes, ahead->room + place * WINDOW_ROOM + (offset - known->start), (size_t)count);
    return SQLITE_OK;
  } else if (++known->run >= 2) {
    if (!ahead->room) ahead->room = sqlite3_malloc(ROOM);
    if (ahead->room && fill(ahead, place, file, count, offset) == SQLITE_OK) {
      memcpy(bytes, ahead->room + place * WINDOW_ROOM, (size_t)count);
      return SQLITE_OK;
    }
    known->run = 0;
  }
  known->start = known->end = offset + count;
  return ahead->methods->xRead(file, bytes, count, offset);
}

// MARK: Logs

static inline log_file *log_of(sqlite3_file *file) { return (log_file *)file; }

static int write_gathered(log_file *log) {
  if (log->length == 0) return SQLITE_OK;
  int length = log->length;
  log->length = 0;
  return log->file->pMethods->xWrite(log->file, log->ahead.room, length, log->start);
}

// Discards uncommitted frames. After the lock is released, another connection may write at the same offset.
static void drop_gathered(log_file *log) {
  if (log->length > 0) log->end = log->start;
  log->length = 0;
}

static int gather(log_file *log, const void *bytes, int count) {
  memcpy(log->ahead.room + log->length, bytes, (size_t)count);
  log->length += count;
  log->end = log->start + log->length;
  if (count == FRAME_HEADER) {
    // The size of the database after the commit; 0 in all other frames.
    static const char none[4];
    log->is_committing = memcmp((const char *)bytes + 4, none, sizeof none) != 0;
    return SQLITE_OK;
  }
  return log->is_committing ? write_gathered(log) : SQLITE_OK;
}

static int write_log(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  log_file *log = log_of(file);
  if (log->length > 0 && offset == log->end && count <= ROOM - log->length) {
    return gather(log, bytes, count);
  }
  int code = write_gathered(log);
  if (code != SQLITE_OK) return code;
  int is_new = count == FRAME_HEADER && offset >= log->end && !log->was_synchronized;
  log->was_synchronized = 0;
  if (is_new && !log->ahead.room) log->ahead.room = sqlite3_malloc(ROOM);
  if (is_new && log->ahead.room) {
    log->start = offset;
    return gather(log, bytes, count);
  }
  // A write at offset 0 restarts the log.
  if (offset == 0 || offset + count > log->end) log->end = offset + count;
  return log->file->pMethods->xWrite(log->file, bytes, count, offset);
}

static int read_log(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  log_file *log = log_of(file);
  int code = write_gathered(log);
  if (code != SQLITE_OK) return code;
  // No other connection changes the pages that a checkpoint reads.
  if (log->is_in_checkpoint) return read_ahead(&log->ahead, log->file, bytes, count, offset);
  return log->file->pMethods->xRead(log->file, bytes, count, offset);
}

static int truncate_log(sqlite3_file *file, sqlite3_int64 size) {
  sqlite3_file *own = log_of(file)->file;
  int code = write_gathered(log_of(file));
  log_of(file)->end = size;
  return code != SQLITE_OK ? code : own->pMethods->xTruncate(own, size);
}

static int sync_log(sqlite3_file *file, int flags) {
  sqlite3_file *own = log_of(file)->file;
  int code = write_gathered(log_of(file));
  log_of(file)->was_synchronized = 1;
  return code != SQLITE_OK ? code : own->pMethods->xSync(own, flags);
}

static int size_of_log(sqlite3_file *file, sqlite3_int64 *size) {
  sqlite3_file *own = log_of(file)->file;
  int code = write_gathered(log_of(file));
  return code != SQLITE_OK ? code : own->pMethods->xFileSize(own, size);
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
  sqlite3_file *own = log_of(file)->file;
  return own->pMethods->xFileControl(own, operation, argument);
}

static int sector_size_of_log(sqlite3_file *file) {
  sqlite3_file *own = log_of(file)->file;
  return own->pMethods->xSectorSize(own);
}

static int characteristics_of_log(sqlite3_file *file) {
  sqlite3_file *own = log_of(file)->file;
  return own->pMethods->xDeviceCharacteristics(own);
}

// MARK: Databases

static inline database_file *database_of(sqlite3_file *file) {
  return (database_file *)((char *)file + system_files->szOsFile);
}

// With a log, the database pages that a transaction reads do not change before its locks change.
static int read_database(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  database_file *database = database_of(file);
  if (!database->log) return database->own->xRead(file, bytes, count, offset);
  return read_ahead(&database->ahead, file, bytes, count, offset);
}

static int lock_index(sqlite3_file *file, int first, int count, int flags) {
  database_file *database = database_of(file);
  log_file *log = database->log;
  forget(&database->ahead);
  database->has_index = 1;
  if (log) {
    log->is_in_checkpoint = 0;
    // The first lock is the write lock. A write transaction acquires or releases no other lock, unless it has
    // exclusive access to the database and is about to share it.
    if (flags & SQLITE_SHM_UNLOCK && first == 0) drop_gathered(log);
    int code = write_gathered(log);
    if (code != SQLITE_OK) return code;
  }
  return database->own->xShmLock(file, first, count, flags);
}

static int control_database(sqlite3_file *file, int operation, void *argument) {
  database_file *database = database_of(file);
  if (operation == SQLITE_FCNTL_CKPT_START || operation == SQLITE_FCNTL_CKPT_DONE) {
    forget(&database->ahead);
    if (database->log) {
      forget(&database->log->ahead);
      database->log->is_in_checkpoint = operation == SQLITE_FCNTL_CKPT_START;
    }
  }
  return database->own->xFileControl(file, operation, argument);
}

static int close_database(sqlite3_file *file) {
  database_file *database = database_of(file);
  sqlite3_free(database->ahead.room);
  database->ahead.room = NULL;
  return database->own->xClose(file);
}

// MARK: Opening and closing

static int open_database(const char *name, sqlite3_file *file, int flags, int *result_flags) {
  int code = system_files->xOpen(system_files, name, file, flags, result_flags);
  database_file *database = database_of(file);
  memset(database, 0, sizeof *database);
  database->own = file->pMethods;
  // Logs require an index in shared memory.
  if (!database->own || database->own->iVersion < 2 || !database->own->xShmLock) return code;
  database->ahead.methods = database->own;
  database->methods = *database->own;
  database->methods.xClose = close_database;
  database->methods.xRead = read_database;
  database->methods.xShmLock = lock_index;
  database->methods.xFileControl = control_database;
  file->pMethods = &database->methods;
  return code;
}

static int close_log(sqlite3_file *file) {
  log_file *log = log_of(file);
  log->database->log = NULL;
  sqlite3_free(log->ahead.room);
  return log->file->pMethods->xClose(log->file);
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

static int open_log(const char *name, sqlite3_file *file, int flags, int *result_flags) {
  sqlite3_file *database = sqlite3_database_file_object(name);
  // Frames can be delayed only if SQLite reports the end of a transaction.
  if (!database->pMethods || database->pMethods->xShmLock != lock_index) {
    return system_files->xOpen(system_files, name, file, flags, result_flags);
  }
  log_file *log = log_of(file);
  memset(log, 0, sizeof *log);
  log->file = (sqlite3_file *)(log + 1);
  int code = system_files->xOpen(system_files, name, log->file, flags, result_flags);
  // SQLite closes every file that has methods, also after a failure.
  if (!log->file->pMethods) return code;
  log->base.pMethods = &log_methods;
  log->ahead.methods = log->file->pMethods;
  log->database = database_of(database);
  log->database->log = log;
  log->name = name;
  struct stat status;
  if (stat(name, &status) == 0) {
    log->device = status.st_dev;
    log->number = status.st_ino;
  }
  forget(&log->database->ahead);
  return code;
}

static int open_file(
    sqlite3_vfs *files, const char *name, sqlite3_file *file, int flags, int *result_flags) {
  (void)files;
  if (flags & SQLITE_OPEN_WAL) return open_log(name, file, flags, result_flags);
  if (flags & SQLITE_OPEN_MAIN_DB) return open_database(name, file, flags, result_flags);
  return system_files->xOpen(system_files, name, file, flags, result_flags);
}

database_file *ocd_database_file(sqlite3_file *file) {
  int is_own = file && file->pMethods && file->pMethods->xShmLock == lock_index;
  return is_own ? database_of(file) : NULL;
}

const char *ocd_offer_files(void) {
  static const char name[] = "OpenCoreData";
  static sqlite3_vfs files;
  system_files = sqlite3_vfs_find(NULL);
  if (!system_files || system_files->szOsFile % (int)_Alignof(database_file) != 0) return NULL;
  // All other operations are the system's, which uses the copied fields.
  files = *system_files;
  files.pNext = NULL;
  files.zName = name;
  int more = sizeof(log_file) > sizeof(database_file) ? sizeof(log_file) : sizeof(database_file);
  files.szOsFile = system_files->szOsFile + more;
  files.xOpen = open_file;
  return sqlite3_vfs_register(&files, 0) == SQLITE_OK ? name : NULL;
}
