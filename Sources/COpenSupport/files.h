// The files that SQLite works with; see files.c.
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
  // Less than 128 KB, of which SQLite makes several calls.
  ROOM = WINDOWS * WINDOW_ROOM,
  SMALLEST_PAGE = 512
};

// A part of a file that was read, and how many reads of the system in order led to it. It holds nothing before the
// third.
typedef struct {
  sqlite3_int64 start, end;
  int run;
} window;

// Pages read ahead of a file; valid until another writer may have changed them.
typedef struct {
  char *room;
  window windows[WINDOWS];
  int next;
  // How the system reads it.
  const sqlite3_io_methods *methods;
  // Size of the file when it was first read ahead; 0 before.
  sqlite3_int64 size;
} ahead;

typedef struct database_file database_file;

typedef struct {
  sqlite3_file base;
  // The system's file, behind this structure.
  sqlite3_file *file;
  // What it is the log of.
  database_file *database;
  // Also has the room for what is gathered: no checkpoint is in a transaction that writes.
  ahead ahead;
  int is_in_checkpoint;
  // What waits in the room: frames of a transaction that is not committed, so of who holds the lock for writing.
  sqlite3_int64 start;
  int length;
  // Whether the last header that waits is that of a frame which commits.
  int is_committing;
  // Whether SQLite synchronised last: it may have done so within a page.
  int was_synchronized;
  // The name it was opened by, and the file that had it then.
  const char *name;
  dev_t device;
  ino_t number;
  // Where what was written so far ends. Only a header there is followed by its page: SQLite also writes headers of
  // frames that are there anew.
  sqlite3_int64 end;
} log_file;

// Stands behind the system's file of a database.
struct database_file {
  // The system's methods, and what SQLite calls: the same but for some.
  const sqlite3_io_methods *own;
  sqlite3_io_methods methods;
  ahead ahead;
  // The log, while it is open.
  log_file *log;
  // Whether the index of the log is in shared memory; it is the connection's own under exclusive locks.
  int has_index;
};

// What belongs to a database of a connection; null for one that is the system's alone.
database_file *ocd_database_file(sqlite3_file *file);

#endif
