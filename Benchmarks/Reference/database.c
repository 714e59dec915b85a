#include "reference.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

sqlite3 *database;
static sqlite3_stmt *set_last;

void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, database ? sqlite3_errmsg(database) : strerror(errno));
  exit(1);
}

void open_database(const char *path) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) fail(path);
  execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000;"
      "PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0");
  set_last = prepare("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?");
}

void execute(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  if (code != SQLITE_OK) fail(sql);
  return statement;
}

void run(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_sql(statement));
  sqlite3_reset(statement);
}

int64_t number(const char *sql) {
  sqlite3_stmt *statement = prepare(sql);
  int64_t value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
  sqlite3_finalize(statement);
  return value;
}

void save_last(int entity, int64_t key) {
  sqlite3_bind_int64(set_last, 1, key);
  sqlite3_bind_int(set_last, 2, entity);
  run(set_last);
}
