// Loops that run once per row or column, and SQLite's variadic functions, which Swift cannot call.
//
// A packed row is `key`, `version` (8 bytes each), `entity`, `length` (4 bytes each), the null
// bitmap, one 8-byte slot per stored column, then the bytes of texts and data. The slot of a text or
// of data contains length << 32 | offset from the start of the row. The order and the sizes are those
// of `RowLayout`.
#ifndef OCD_SUPPORT_H
#define OCD_SUPPORT_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

// The contents of a slot; the first five numbers are those of `SlotKind`.
enum {
  OCD_INTEGER = 0,
  OCD_REAL = 1,
  OCD_TEXT = 2,
  OCD_BLOB = 3,
  OCD_DECIMAL = 4,
  // Data after a tag byte, which the packed row omits.
  OCD_TAGGED_BLOB = 5,
  // Parts of the header, and a number from the caller; only for writing.
  OCD_KEY = 6,
  OCD_VERSION = 7,
  OCD_ENTITY = 8,
  OCD_EXPECTED = 9,
  // The 16 bytes of a UUID; only for reading.
  OCD_UUID = 10,
};

// The source of a slot's value.
typedef struct {
  int32_t column;
  int32_t kind;
  // SQLite's type of most values. A value of another type is checked, unless this field is OCD_ANY_TYPE; SQLite then
  // converts the value.
  int32_t usual_type;
} ocd_slot;

enum { OCD_ANY_TYPE = 0 };

// Returns whether a value that is not null fits a kind of slot. SQLite's exact conversions are allowed: an integer fits a
// column of real numbers, a whole real number fits a column of integers, and a number fits a column of texts.
int ocd_fits(sqlite3_value *value, int32_t kind);

// The layout of one entity's packed rows; `slots` is null for an entity that was not requested.
typedef struct {
  uint32_t entity_index;
  uint32_t slot_count;
  uint32_t null_words;
  const ocd_slot *slots;
} ocd_entity_plan;

// The layout of one statement's packed rows.
typedef struct {
  int32_t key_column;
  int32_t version_column;
  // Column of the entity number, or -1 if every row belongs to the first entity.
  int32_t entity_column;
  uint32_t entity_count;
  // Entity number of the first element of `entities`; the other numbers follow without gaps.
  int64_t first_entity;
  const ocd_entity_plan *entities;
  // Folder of the values that are stored in separate files; null if there is none.
  const char *external_folder;
} ocd_row_plan;

// Memory for packed rows. `needed` is set to the size of a row that did not fit.
typedef struct {
  char *base;
  size_t capacity;
  size_t used;
  size_t row_count;
  size_t needed;
  // Whether the statement's current row is not packed yet.
  int has_pending_row;
  // Whether a value that does not fit its slot, or whose file is missing, is packed as null; otherwise, packing stops.
  int skips_damage;
  // The slot and the entity of the value at which packing stopped.
  uint32_t damaged_slot, damaged_entity;
} ocd_chunk;

enum {
  OCD_DONE = 0,
  OCD_FULL = 1,
  OCD_FAILED = 2,
  OCD_UNKNOWN_ENTITY = 3,
  OCD_EXTERNAL_BLOB = 4,
  // A value does not fit its slot.
  OCD_UNFIT_VALUE = 5,
  // A row is too long for its 32-bit length.
  OCD_LONG_ROW = 6,
};

// Steps the statement and packs its rows until it is done or a row does not fit.
int ocd_pack_rows(sqlite3_stmt *statement, const ocd_row_plan *plan, ocd_chunk *chunk);

// A primary key and the position of its entity in the model.
typedef struct {
  int32_t entity_index;
  int64_t key;
} ocd_object_key;

// Steps the statement and collects keys until it is done or there are `capacity` keys.
// Without an entity column (-1), every key has `entity_index`; otherwise, the number in the column
// minus one, which must be in [first_index, first_index + entity_count).
int ocd_collect_keys(
    sqlite3_stmt *statement, int key_column, int entity_column, int first_index, int entity_count,
    void *keys, size_t capacity, size_t *count);

// The source of a parameter's value: a slot of a packed row, a part of its header, or
// `expected`.
typedef struct {
  uint32_t offset;
  uint32_t slot;
  int32_t kind;
} ocd_binding;

// Binds one row's values in order, without copying texts and data.
// Returns SQLITE_OK, or SQLite's error code.
int ocd_bind_row(
    sqlite3_stmt *statement, const void *row, const ocd_binding *bindings, int count,
    int64_t expected);

// Binds one row's values in order, runs the statement and resets it.
// Returns SQLITE_DONE, or SQLite's error code. Texts and data are bound without a copy.
int ocd_write_row(
    sqlite3_stmt *statement, const void *row, const ocd_binding *bindings, int count,
    int64_t expected);

// The maximum number of rows in a source.
enum { OCD_ROW_LIMIT = 512 };

// Rows that one statement writes. The statement reads them as a table whose columns are the bindings. Texts and data
// are not copied. Tagged data is not supported.
typedef struct {
  const ocd_binding *bindings;
  int binding_count;
  // Whether the rows replace stored rows; the statement then stops at the first row that replaces none.
  int updates;
  size_t count;
  const void *const *rows;
  // The value of OCD_EXPECTED for the first row; it increases by one with each row.
  int64_t first_expected;
  // The number of written rows, from the first row on.
  size_t written;
  // Whether the current row replaced a row, and whether it was inserted because there was no row to replace.
  int did_update, did_insert;
} ocd_row_source;

// Lets statements of a connection read the source as the table OpenCoreDataRows<column_count>.
// Returns SQLITE_OK, or SQLite's error code.
int ocd_offer_rows(sqlite3 *database, int column_count, ocd_row_source *source);

// Runs a statement that writes the rows of the source, and resets it.
// Returns SQLITE_DONE, or SQLite's error code, and always sets `written`.
int ocd_write_rows(sqlite3 *database, sqlite3_stmt *statement, ocd_row_source *source);

// A UTF-8 text. Sorting sets and uses `first_bytes`.
typedef struct {
  const char *bytes;
  size_t length;
  uint64_t first_bytes;
} ocd_text;

// Values that a statement reads, usually to look up rows.
typedef struct {
  size_t count;
  // Null for a list of texts.
  const int64_t *integers;
  const ocd_text *texts;
} ocd_list;

// Lets statements of a connection read a bound list as the table OpenCoreDataList(?), whose column is `value`.
// Returns SQLITE_OK, or SQLite's error code.
int ocd_offer_lists(sqlite3 *database);

// Binds without copying; the list must remain valid until the statement is reset.
int ocd_bind_list(sqlite3_stmt *statement, int index, const ocd_list *list);

// Sorts one or more texts by their bytes, removes duplicates, and returns the number of remaining texts.
size_t ocd_sort_texts(ocd_text *texts, size_t count);

// Binds without copying; the bytes must remain valid until the statement is reset.
int ocd_bind_static_text(sqlite3_stmt *statement, int index, const void *bytes, size_t length);
int ocd_bind_static_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t length);

// The destination of large values during writes. `store` writes a value to a file and fills in the 38
// bytes with which a row refers to the file; it returns an SQLite result code.
typedef struct {
  void *context;
  size_t threshold;
  int (*store)(void *context, const void *bytes, size_t length, char *reference);
} ocd_external_sink;

// Sets the calling thread's sink, or null for none, and returns the previous sink.
const ocd_external_sink *ocd_set_external_sink(const ocd_external_sink *sink);

// Returns whether the bytes refer to a file, with the 36 characters of a UUID after the first byte.
int ocd_is_external(const void *bytes, size_t length);

// Sets the result of a SQL function to a copy of a text.
void ocd_result_text(sqlite3_context *context, const void *bytes, size_t length);

// Sets the result of a SQL function to a copy of bytes.
void ocd_result_blob(sqlite3_context *context, const void *bytes, size_t length);

// Returns whether a text contains a part, compared byte by byte; an empty part is never contained.
int ocd_contains_bytes(const void *text, size_t length, const void *part, size_t part_length);
// Returns whether a folded text contains a folded part. A table has four bytes for each character below `end`: the
// length of its folded form and the form; Han characters fold to themselves. Returns -1 if there are other characters.
int ocd_contains_folded(
    const void *text, size_t length, const void *part, size_t part_length, const uint8_t *forms,
    uint32_t end);

// Registers a function that ranks the rows of full-text indexes in the same order as FTS5's bm25(), with fewer reads. The
// function's values differ from those of bm25().
void ocd_offer_relevance(sqlite3 *database, const char *name);

// Turns off SQLite's memory statistics; has an effect only before the first use of SQLite.
void ocd_disable_memory_statistics(void);
// Registers a VFS that reads and writes with fewer system calls. Call this function once, after SQLite is initialized.
// Returns the VFS name for opening databases, or null if registration fails.
const char *ocd_offer_files(void);

// The defects of a database's files.
typedef enum {
  OCD_NOTHING_LOST,
  // The database or its log no longer has the name under which it was opened.
  OCD_DATABASE_MOVED,
  OCD_LOG_MOVED,
  // The database or its log is shorter than it must be.
  OCD_TRUNCATED
} ocd_loss;

// Returns whether a connection's commits would be lost, because its files were deleted, replaced or truncated while they
// were open. Compares lengths only inside a write transaction.
ocd_loss ocd_lost_file(sqlite3 *connection);
// Hardens a connection: no writes to the schema's own tables, no double-quoted strings.
void ocd_harden(sqlite3 *database);

// If `is_on` is nonzero, the next VACUUM empties the database, even if it is damaged.
void ocd_reset_database(sqlite3 *database, int is_on);

#endif
