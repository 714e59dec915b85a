#include "COpenSupport.h"
#include "tables.h"

#include <stdlib.h>

// A bound list as an SQLite virtual table, OpenCoreDataList(?): a statement that joins with it reads each element in
// place, while SQLite first builds a tree of all elements for IN. The rowid is the position in the list, from 0. The
// argument is a pointer, which SQL cannot create.

enum { VALUE = 0, LIST = 1 };
static const char pointer_type[] = "OpenCoreDataList";

static int connect_table(
    sqlite3 *database, void *unused, int count, const char *const *arguments,
    sqlite3_vtab **result, char **message) {
  (void)unused, (void)count, (void)arguments, (void)message;
  return make_table(
      database, "CREATE TABLE x(value, list HIDDEN)", sizeof(sqlite3_vtab), result);
}

// There is one plan: the list is bound, and the statement reads all elements.
static int plan_scan(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  for (int i = 0; i < info->nConstraint; i++) {
    struct sqlite3_index_constraint constraint = info->aConstraint[i];
    if (constraint.iColumn != LIST || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (!constraint.usable) return SQLITE_CONSTRAINT;
    info->aConstraintUsage[i].argvIndex = 1;
    info->aConstraintUsage[i].omit = 1;
    info->estimatedCost = 1;
    info->estimatedRows = 1000;
    return SQLITE_OK;
  }
  return SQLITE_CONSTRAINT;
}

static int begin(
    sqlite3_vtab_cursor *base, int number, const char *text, int count, sqlite3_value **values) {
  (void)number, (void)text;
  table_cursor *cursor = cursor_of(base);
  cursor->content = count == 1 ? sqlite3_value_pointer(values[0], pointer_type) : NULL;
  cursor->position = 0;
  return SQLITE_OK;
}

static int advance(sqlite3_vtab_cursor *base) {
  cursor_of(base)->position++;
  return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base) {
  const ocd_list *list = cursor_of(base)->content;
  return !list || cursor_of(base)->position >= list->count;
}

static int give_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  const ocd_list *list = cursor_of(base)->content;
  size_t position = cursor_of(base)->position;
  if (column != VALUE) return SQLITE_OK;
  if (list->integers) {
    sqlite3_result_int64(context, list->integers[position]);
  } else {
    ocd_text text = list->texts[position];
    const char *bytes = text.length ? text.bytes : "";
    sqlite3_result_text64(context, bytes, text.length, SQLITE_STATIC, SQLITE_UTF8);
  }
  return SQLITE_OK;
}

static const sqlite3_module list_module = {
  .xConnect = connect_table,
  .xBestIndex = plan_scan,
  .xDisconnect = disconnect_table,
  .xOpen = open_cursor,
  .xClose = close_cursor,
  .xFilter = begin,
  .xNext = advance,
  .xEof = is_at_end,
  .xColumn = give_column,
  .xRowid = row_number,
};

int ocd_offer_lists(sqlite3 *database) {
  return sqlite3_create_module(database, pointer_type, &list_module, NULL);
}

int ocd_bind_list(sqlite3_stmt *statement, int index, const ocd_list *list) {
  return sqlite3_bind_pointer(statement, index, (void *)list, pointer_type, NULL);
}

enum { FIRST = 8 };

// Returns the first bytes as a number with the same order; bytes after the end of a text are zero.
static uint64_t first_bytes(const ocd_text *text) {
  uint64_t first = 0;
  for (size_t i = 0; i < FIRST; i++) {
    first = first << 8 | (i < text->length ? (unsigned char)text->bytes[i] : 0);
  }
  return first;
}

// SQLite's order of texts.
static int compare(const void *left, const void *right) {
  const ocd_text *one = left, *other = right;
  if (one->first_bytes != other->first_bytes) {
    return one->first_bytes < other->first_bytes ? -1 : 1;
  }
  size_t length = one->length < other->length ? one->length : other->length;
  int order =
      length > FIRST ? memcmp(one->bytes + FIRST, other->bytes + FIRST, length - FIRST) : 0;
  return order ? order : (one->length > other->length) - (one->length < other->length);
}

size_t ocd_sort_texts(ocd_text *texts, size_t count) {
  for (size_t i = 0; i < count; i++) texts[i].first_bytes = first_bytes(&texts[i]);
  size_t sorted = 1;
  while (sorted < count && compare(&texts[sorted - 1], &texts[sorted]) < 0) sorted++;
  if (sorted >= count) return count;
  qsort(texts, count, sizeof *texts, compare);
  size_t last = 0;
  for (size_t i = 1; i < count; i++) {
    if (compare(&texts[last], &texts[i]) != 0) texts[++last] = texts[i];
  }
  return last + 1;
}
