// Loops that run once a row or once a column, and SQLite's variadic calls, which Swift cannot make.
//
// A packed row is `key`, `version` (8 bytes each), `entity`, `length` (4 bytes each), the null
// bitmap, one 8-byte slot a stored column, then the bytes of texts and data. The slot of a text or
// of data holds length << 32 | offset from the start of the row. The order and the sizes are those
// of `RowLayout`.
#ifndef OCD_SUPPORT_H
#define OCD_SUPPORT_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

// What a slot holds; the numbers of the first five are those of `SlotKind`.
enum {
  OCD_INTEGER = 0,
  OCD_REAL = 1,
  OCD_TEXT = 2,
  OCD_BLOB = 3,
  OCD_DECIMAL = 4,
  // Data behind a tag byte, which the packed row does not have.
  OCD_TAGGED_BLOB = 5,
  // Parts of the header, and the caller's own number; only for writing.
  OCD_KEY = 6,
  OCD_VERSION = 7,
  OCD_ENTITY = 8,
  OCD_EXPECTED = 9,
};

// Where the value of a slot comes from.
typedef struct {
  int32_t column;
  int32_t kind;
} ocd_slot;

// How the rows of one entity are packed; `slots` is null for an entity whose rows were not asked
// for.
typedef struct {
  uint32_t entity_index;
  uint32_t slot_count;
  uint32_t null_words;
  const ocd_slot *slots;
} ocd_entity_plan;

// How the rows of one statement are packed.
typedef struct {
  int32_t key_column;
  int32_t version_column;
  // Column of the entity number, or -1 when every row is of the first entity.
  int32_t entity_column;
  uint32_t entity_count;
  // Entity number of the first element of `entities`; the others follow without a gap.
  int64_t first_entity;
  const ocd_entity_plan *entities;
  // Folder of the values that have files of their own; null when there is none.
  const char *external_folder;
} ocd_row_plan;

// Memory to pack into. `needed` is set to the bytes of a row that did not fit.
typedef struct {
  char *base;
  size_t capacity;
  size_t used;
  size_t row_count;
  size_t needed;
  // Whether the statement stands on a row that is not packed yet.
  int has_pending_row;
  // Whether a value whose file is missing is packed as none, instead of ending the packing.
  int skips_missing_files;
} ocd_chunk;

enum {
  OCD_DONE = 0,
  OCD_FULL = 1,
  OCD_FAILED = 2,
  OCD_UNKNOWN_ENTITY = 3,
  OCD_EXTERNAL_BLOB = 4,
};

// Steps the statement and packs its rows until it is done or a row does not fit.
int ocd_pack_rows(sqlite3_stmt *statement, const ocd_row_plan *plan, ocd_chunk *chunk);

// A primary key and the position of its entity in the model.
typedef struct {
  int32_t entity_index;
  int64_t key;
} ocd_object_key;

// Steps the statement and collects keys until it is done or `capacity` keys are there.
// Without an entity column (-1), every key gets `entity_index`; otherwise the number there less
// one, which must lie in [first_index, first_index + entity_count).
int ocd_collect_keys(
    sqlite3_stmt *statement, int key_column, int entity_column, int first_index, int entity_count,
    void *keys, size_t capacity, size_t *count);

// Where the value of a parameter comes from: a slot of a packed row, a part of its header, or
// `expected`.
typedef struct {
  uint32_t offset;
  uint32_t slot;
  int32_t kind;
} ocd_binding;

// Binds one row's values in order, without a copy of texts and data.
// Returns SQLITE_OK, or SQLite's error code.
int ocd_bind_row(
    sqlite3_stmt *statement, const void *row, const ocd_binding *bindings, int count,
    int64_t expected);

// Binds one row's values in order, runs the statement and resets it.
// Returns SQLITE_DONE, or SQLite's error code. Texts and data are bound without a copy.
int ocd_write_row(
    sqlite3_stmt *statement, const void *row, const ocd_binding *bindings, int count,
    int64_t expected);

// The most rows of a source.
enum { OCD_ROW_LIMIT = 512 };

// Rows that one statement writes; it reads them as a table, whose columns are the bindings. Texts and data are
// read where they are. Tagged data cannot be among them.
typedef struct {
  const ocd_binding *bindings;
  int binding_count;
  // Whether the rows replace stored ones; the statement then ends at the first row that replaces none.
  int updates;
  size_t count;
  const void *const *rows;
  // What OCD_EXPECTED gives for the first row; it counts up from there.
  int64_t first_expected;
  // How many rows were written, from the first one on.
  size_t written;
  // Whether the current row replaced one, and whether it was inserted because there was none to replace.
  int did_update, did_insert;
} ocd_row_source;

// Lets statements of a connection read the source as the table OpenCoreDataRows<column_count>.
// Returns SQLITE_OK, or SQLite's error code.
int ocd_offer_rows(sqlite3 *database, int column_count, ocd_row_source *source);

// Runs a statement that writes the rows of the source, and resets it.
// Returns SQLITE_DONE, or SQLite's error code, and sets `written` in any case.
int ocd_write_rows(sqlite3 *database, sqlite3_stmt *statement, ocd_row_source *source);

// A text of UTF-8. `first_bytes` is for sorting, and set by it.
typedef struct {
  const char *bytes;
  size_t length;
  uint64_t first_bytes;
} ocd_text;

// Values for a statement to read, and most often to look rows up by.
typedef struct {
  size_t count;
  // Null for a list of texts.
  const int64_t *integers;
  const ocd_text *texts;
} ocd_list;

// Lets statements of a connection read a bound list as the table OpenCoreDataList(?), whose column is `value`.
// Returns SQLITE_OK, or SQLite's error code.
int ocd_offer_lists(sqlite3 *database);

// Binds without a copy; the list must stay until the statement is reset.
int ocd_bind_list(sqlite3_stmt *statement, int index, const ocd_list *list);

// Puts texts into the order of their bytes, each once, and returns how many are left of one or more.
size_t ocd_sort_texts(ocd_text *texts, size_t count);

// Binds without a copy; the bytes must stay until the statement is reset.
int ocd_bind_static_text(sqlite3_stmt *statement, int index, const void *bytes, size_t length);
int ocd_bind_static_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t length);

// Where large values go while a connection writes. `store` writes a value to a file and fills in the 38
// bytes by which a row refers to it; it returns an SQLite result code.
typedef struct {
  void *context;
  size_t threshold;
  int (*store)(void *context, const void *bytes, size_t length, char *reference);
} ocd_external_sink;

// Sets the calling thread's sink, null for none, and returns the one before.
const ocd_external_sink *ocd_set_external_sink(const ocd_external_sink *sink);

// Whether the bytes refer to a file, by 36 characters of a UUID behind the first byte.
int ocd_is_external(const void *bytes, size_t length);

// Makes a copy of a text the result of a SQL function.
void ocd_result_text(sqlite3_context *context, const void *bytes, size_t length);

// Makes a copy of bytes the result of a SQL function.
void ocd_result_blob(sqlite3_context *context, const void *bytes, size_t length);

// Whether a text contains a part, byte by byte; never an empty part.
int ocd_contains_bytes(const void *text, size_t length, const void *part, size_t part_length);
// The same for the folded texts. A table has four bytes for each character below `end`: the length of its
// folded form and the form; Han characters fold to themselves. -1 when there are other characters.
int ocd_contains_folded(
    const void *text, size_t length, const void *part, size_t part_length, const uint8_t *forms,
    uint32_t end);

// Registers a function that ranks rows of full-text indexes as FTS5's bm25() does, with less reading. Its values put the
// rows of one query in the order of bm25(); they are not those of bm25().
void ocd_offer_relevance(sqlite3 *database, const char *name);

// Turns SQLite's memory statistics off; has an effect only before anything else used SQLite.
void ocd_disable_memory_statistics(void);
// Registers files that are read and written with fewer calls of the system; to be called once, after SQLite was
// initialised. Returns the name to open databases with, or null when they cannot be had.
const char *ocd_offer_files(void);

// What a database's files lack of what they should have.
typedef enum {
  OCD_NOTHING_LOST,
  // The database, or its log, no longer has the name it was opened by.
  OCD_DATABASE_MOVED,
  OCD_LOG_MOVED,
  // The database or its log is shorter than it must be.
  OCD_TRUNCATED
} ocd_loss;

// Whether what a connection commits would be lost, because its files were deleted, replaced or made shorter while they
// were open. Lengths are compared inside a transaction that writes only.
ocd_loss ocd_lost_file(sqlite3 *connection);
// Hardens a connection: no writes to the schema's own tables, no double-quoted strings.
void ocd_harden(sqlite3 *database);

// With `is_on`, the next VACUUM makes the database empty, damaged or not.
void ocd_reset_database(sqlite3 *database, int is_on);

#endif
