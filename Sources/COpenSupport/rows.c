#include "packed.h"
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>

// Packed rows as an SQLite virtual table: one statement reads and writes all rows, which saves the cost of running a
// statement for each row. The file does not name the table; a connection's statements read it as
// OpenCoreDataRows<number of columns>, whose columns are the bindings of the source.

enum { NAME_SIZE = 32, NEAR = 192, LINE = 64 };
static const char module_prefix[] = "OpenCoreDataRows";

typedef struct {
  sqlite3_vtab base;
  ocd_row_source *source;
} row_table;

static int connect_table(
    sqlite3 *database, void *source, int count, const char *const *arguments,
    sqlite3_vtab **result, char **message) {
  (void)count, (void)message;
  // The first argument is the module's name.
  int columns = atoi(arguments[0] + sizeof module_prefix - 1);
  sqlite3_str *text = sqlite3_str_new(database);
  sqlite3_str_appendall(text, "CREATE TABLE x(");
  for (int i = 0; i < columns; i++) sqlite3_str_appendf(text, i ? ", c%d" : "c%d", i);
  sqlite3_str_appendall(text, ")");
  char *declaration = sqlite3_str_finish(text);
  if (!declaration) return SQLITE_NOMEM;
  int code = make_table(database, declaration, sizeof(row_table), result);
  sqlite3_free(declaration);
  if (code == SQLITE_OK) ((row_table *)*result)->source = source;
  return code;
}

static int plan_scan(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  info->estimatedCost = 1;
  info->estimatedRows = OCD_ROW_LIMIT;
  return SQLITE_OK;
}

// The rows were packed in sequence; the first rows may no longer be in the processor's cache.
static void bring_near(const ocd_row_source *source, size_t position) {
  if (position >= source->count) return;
  for (size_t offset = 0; offset < NEAR; offset += LINE) {
    __builtin_prefetch((const char *)source->rows[position] + offset);
  }
}

static int begin(
    sqlite3_vtab_cursor *base, int number, const char *text, int count, sqlite3_value **values) {
  (void)number, (void)text, (void)count, (void)values;
  table_cursor *cursor = cursor_of(base);
  ocd_row_source *source = ((row_table *)base->pVtab)->source;
  cursor->content = source;
  cursor->position = 0;
  source->did_update = 0;
  bring_near(source, 1);
  return SQLITE_OK;
}

static int advance(sqlite3_vtab_cursor *base) {
  table_cursor *cursor = cursor_of(base);
  ocd_row_source *source = cursor->content;
  // The state of the rows after a row without an update is unknown.
  if (source->updates && !source->did_update) {
    cursor->position = source->count;
    return SQLITE_OK;
  }
  source->did_update = 0;
  cursor->position++;
  bring_near(source, cursor->position + 1);
  return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base) {
  const ocd_row_source *source = cursor_of(base)->content;
  return cursor_of(base)->position >= source->count;
}

static int give_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  const ocd_row_source *source = cursor_of(base)->content;
  size_t position = cursor_of(base)->position;
  if (column >= source->binding_count) return SQLITE_MISUSE;
  packed_value value = value_of(
      source->rows[position], &source->bindings[column],
      source->first_expected + (int64_t)position);
  switch (value.kind) {
  case NO_VALUE: break;
  case OCD_INTEGER: sqlite3_result_int64(context, value.integer); break;
  case OCD_REAL: sqlite3_result_double(context, value.real); break;
  case OCD_TAGGED_BLOB: return SQLITE_MISUSE;
  case OCD_BLOB: sqlite3_result_blob64(context, value.bytes, value.length, SQLITE_STATIC); break;
  default:
    sqlite3_result_text64(context, value.bytes, value.length, SQLITE_STATIC, SQLITE_UTF8);
  }
  return SQLITE_OK;
}

static const sqlite3_module row_module = {
  .xConnect = connect_table,
  .xBestIndex = plan_scan,
  .xDisconnect = disconnect_table,
  .xDestroy = disconnect_table,
  .xOpen = open_cursor,
  .xClose = close_cursor,
  .xFilter = begin,
  .xNext = advance,
  .xEof = is_at_end,
  .xColumn = give_column,
  .xRowid = row_number,
};

int ocd_offer_rows(sqlite3 *database, int column_count, ocd_row_source *source) {
  char name[NAME_SIZE];
  snprintf(name, sizeof name, "%s%d", module_prefix, column_count);
  return sqlite3_create_module(database, name, &row_module, source);
}

static void note_change(
    void *context, int change, const char *database, const char *table, sqlite3_int64 key) {
  (void)database, (void)key;
  // Rows of a full-text index, which a trigger writes.
  if (strncmp(table, "OpenCoreDataText_", 17) == 0) return;
  ocd_row_source *source = context;
  if (change == SQLITE_UPDATE) source->did_update = 1;
  if (change == SQLITE_INSERT) source->did_insert = 1;
}

int ocd_write_rows(sqlite3 *database, sqlite3_stmt *statement, ocd_row_source *source) {
  source->did_insert = 0;
  if (source->updates) sqlite3_update_hook(database, note_change, source);
  int stepped = sqlite3_step(statement);
  int changed = sqlite3_changes(database);
  int code = sqlite3_reset(statement);
  if (source->updates) sqlite3_update_hook(database, NULL, NULL);
  // A statement that fails at a row keeps the previous rows, or none.
  source->written = (size_t)changed;
  if (source->updates && source->did_insert && source->written > 0) source->written--;
  return stepped == SQLITE_DONE ? SQLITE_DONE : code != SQLITE_OK ? code : stepped;
}
