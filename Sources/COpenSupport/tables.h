// Shared parts of this library's virtual tables.
#ifndef OCD_TABLES_H
#define OCD_TABLES_H

#include <sqlite3.h>
#include <string.h>

// A cursor; the table's code sets `content` when a scan begins.
typedef struct {
  sqlite3_vtab_cursor base;
  void *content;
  size_t position;
} table_cursor;

static inline table_cursor *cursor_of(sqlite3_vtab_cursor *base) { return (table_cursor *)base; }

// Creates a table of `size` bytes that begins with a sqlite3_vtab; the remaining bytes are zero.
static inline int make_table(
    sqlite3 *database, const char *declaration, size_t size, sqlite3_vtab **result) {
  int code = sqlite3_declare_vtab(database, declaration);
  if (code != SQLITE_OK) return code;
  *result = sqlite3_malloc64(size);
  if (!*result) return SQLITE_NOMEM;
  memset(*result, 0, size);
  return SQLITE_OK;
}

static inline int disconnect_table(sqlite3_vtab *table) {
  sqlite3_free(table);
  return SQLITE_OK;
}

static inline int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **result) {
  (void)table;
  table_cursor *cursor = sqlite3_malloc(sizeof *cursor);
  if (!cursor) return SQLITE_NOMEM;
  memset(cursor, 0, sizeof *cursor);
  *result = &cursor->base;
  return SQLITE_OK;
}

static inline int close_cursor(sqlite3_vtab_cursor *cursor) {
  sqlite3_free(cursor);
  return SQLITE_OK;
}

static inline int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *number) {
  *number = (sqlite3_int64)cursor_of(base)->position;
  return SQLITE_OK;
}

#endif
