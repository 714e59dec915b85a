// The performance limit of writes with persistent history: directly on SQLite's C interface, with the
// rows in history's tables that this library writes for the same work.
//
// Each save writes one row of ATRANSACTION, and one of ACHANGE for each object: insertions, updates
// with the mask of the properties that differ, then the threads and users that gained a post, by
// entity and key.
#ifndef REFERENCE_H
#define REFERENCE_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

// Posts of a save.
enum { SAVE = 1000 };
// Numbers of the entities, those of history among them.
enum { POST = 2, THREAD = 3, USER = 4, CHANGE = 16001, TRANSACTION = 16002, STRING = 16003 };

// MARK: database.c

extern sqlite3 *database;

// Ends the process with the error message of SQLite or of the system.
_Noreturn void fail(const char *what);
// Opens the file with the settings of all runners.
void open_database(const char *path);
void execute(const char *sql);
sqlite3_stmt *prepare(const char *sql);
// Runs a statement that returns no row.
void run(sqlite3_stmt *statement);
// Returns the number that a statement yields, or 0 if there is no row.
int64_t number(const char *sql);
// Writes the last key that an entity used.
void save_last(int entity, int64_t key);

// MARK: history.c

enum { INSERTION, UPDATE };

// Creates the history tables and indexes, which the file must not contain.
void make_history(void);
// Begins the history of a save.
void insert_transaction(void);
// Writes the change to a post; the mask of an update names the changed properties.
void insert_change(int kind, int64_t key, const uint8_t mask[2]);
// Records that a thread and a user gained a post.
void note_ends(int64_t thread, int64_t user);
// Writes the recorded updates and the last key.
void end_history(void);

// MARK: posts.c

#pragma pack(push, 1)
// A post in the generator's files; its texts follow.
typedef struct {
  int64_t key, thread, author;
  double date, score;
  int32_t thread_index;
  uint8_t editable, ignored;
  uint16_t id_length, title_length, html_length;
} post_head;
#pragma pack(pop)

enum { NO_TITLE = 0xFFFF };

// A post of a file, or a row as an application holds it.
typedef struct {
  post_head head;
  const char *id, *title, *html;
  char text[2048];
} post;

#define COLUMNS                                                                                 \
  "Z_PK, ZEDITABLE, ZIGNORED, ZTHREADINDEX, ZAUTHOR, ZTHREAD, ZPOSTDATE, ZSCORE, ZINNERHTML, "    \
  "ZPOSTID, ZTITLE"
#define INSERT                                                                                  \
  "INSERT INTO ZPOST (" COLUMNS ", Z_ENT, Z_OPT) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 2, 1)"

// Folder of the data set.
extern const char *folder;

FILE *open_stream(const char *name);
// Reads the next post; 0 at the end.
int read_post(FILE *stream, post *post);
// Binds a post to INSERT.
void bind_post(sqlite3_stmt *statement, int64_t key, const post *post);
// Copies a row of COLUMNS.
void copy_row(sqlite3_stmt *statement, post *post);
// Copies a row of COLUMNS into memory of exactly its size.
post *make_post(sqlite3_stmt *statement);
// Whether the html of two posts differs; the process ends if anything else does.
int is_html_different(const post *one, const post *other);

#endif
