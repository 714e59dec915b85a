// SQLite files with fewer system calls; see files.c.
#ifndef OCD_FILES_H
#define OCD_FILES_H

#include "COpenSupport.h"

#include <sqlite3.h>
#include <sys/types.h>

enum {
  FRAME_HEADER = 24,
  USUAL_FRAME = FRAME_HEADER + 4096,
  WINDOWS = 4,
  WINDOW_ROOM = 7 * USUAL_FRAME,
  // Less than 128 KB, which SQLite writes with several calls.
  ROOM = WINDOWS * WINDOW_ROOM,
  SMALLEST_PAGE = 512
};

// A part of a file that was read, and the number of sequential system reads before it. It is empty before the
// third read.
typedef struct {
  sqlite3_int64 start, end;
  int run;
} window;

// Pages that were read ahead; valid until another writer may have changed them.
typedef struct {
  char *room;
  window windows[WINDOWS];
  int next;
  // The system's read function.
  const sqlite3_io_methods *methods;
  // Size of the file at the first read-ahead; 0 before.
  sqlite3_int64 size;
} ahead;

typedef struct database_file database_file;

typedef struct {
  sqlite3_file base;
  // The system's file, which follows this structure in memory.
  sqlite3_file *file;
  // The database to which the log belongs.
  database_file *database;
  // Also used as the buffer for gathered frames, because no checkpoint runs in a write transaction.
  ahead ahead;
  int is_in_checkpoint;
  // The gathered frames: frames of an uncommitted transaction, whose connection holds the write lock.
  sqlite3_int64 start;
  int length;
  // Whether the last gathered header is that of a commit frame.
  int is_committing;
  // Whether SQLite's last call was a sync, which may be within a page.
  int was_synchronized;
  // The name under which the file was opened, and the file's identity at that time.
  const char *name;
  dev_t device;
  ino_t number;
  // The end of the written bytes. Only a header at this offset precedes its page, because SQLite also rewrites headers
  // of existing frames.
  sqlite3_int64 end;
} log_file;

// Follows the system's file of a database in memory.
struct database_file {
  // The system's methods, and the methods that SQLite calls, some of which are replaced.
  const sqlite3_io_methods *own;
  sqlite3_io_methods methods;
  ahead ahead;
  // The log, while it is open.
  log_file *log;
  // Whether the index of the log is in shared memory; under exclusive locks, it is private to the connection.
  int has_index;
};

// Returns the state of a connection's database; null if the file is not wrapped.
database_file *ocd_database_file(sqlite3_file *file);

#endif
