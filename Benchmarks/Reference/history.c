#define _GNU_SOURCE
#include "reference.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

// Keys of one entity, recorded in any order and written in sorted order.
typedef struct {
  int entity;
  int64_t word_count;
  uint64_t *words;
} key_set;

static key_set threads, users;
static sqlite3_stmt *transaction_statement, *change_statement;
static int64_t last_transaction, last_change, name_key;

// The same statements as in the library's store.
static const char *const tables =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE "
    "INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );"
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS "
    "INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, "
    "ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN "
    "BLOB );"
    "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
    "ZNAME VARCHAR );"
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);"
    "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS);"
    "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS);"
    "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS);"
    "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS);"
    "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY "
    "ASC);"
    "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE "
    "BINARY ASC);"
    "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE "
    "BINARY ASC);"
    "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (16001, 'CHANGE', 0, 0), "
    "(16002, 'TRANSACTION', 0, 0), (16003, 'TRANSACTIONSTRING', 0, 0);"
    "COMMIT";

static key_set make_key_set(int entity, int64_t last) {
  int64_t word_count = last / 64 + 1;
  return (key_set){entity, word_count, calloc((size_t)word_count, sizeof(uint64_t))};
}

void make_history(void) {
  execute(tables);
  threads = make_key_set(THREAD, number("SELECT max(Z_PK) FROM ZTHREAD"));
  users = make_key_set(USER, number("SELECT max(Z_PK) FROM ZUSER"));
  transaction_statement = prepare(
      "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP) "
      "VALUES (?1, 16002, ?2, ?2, ?3)");
  change_statement = prepare(
      "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, "
      "ZCOLUMNS) VALUES (?, 16001, ?, ?, ?, ?, ?)");
}

// The key of the program's name, which all transactions share; also used as the bundle's name.
static int64_t program_name(void) {
  if (name_key) return name_key;
  sqlite3_stmt *insert =
      prepare("INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, ?)");
  sqlite3_bind_text(insert, 1, program_invocation_short_name, -1, SQLITE_STATIC);
  run(insert);
  sqlite3_finalize(insert);
  save_last(STRING, 1);
  return name_key = 1;
}

void insert_transaction(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  double since_2001 = (double)(time.tv_sec - 978307200) + (double)time.tv_nsec * 1e-9;
  sqlite3_bind_int64(transaction_statement, 1, ++last_transaction);
  sqlite3_bind_int64(transaction_statement, 2, program_name());
  sqlite3_bind_double(transaction_statement, 3, since_2001);
  run(transaction_statement);
  save_last(TRANSACTION, last_transaction);
}

// The mask has the most significant bit for the first property, and the bytes its entity needs.
static void insert(int kind, int entity, int64_t key, const uint8_t *mask, int bytes) {
  sqlite3_bind_int64(change_statement, 1, ++last_change);
  sqlite3_bind_int(change_statement, 2, kind);
  sqlite3_bind_int(change_statement, 3, entity);
  sqlite3_bind_int64(change_statement, 4, key);
  sqlite3_bind_int64(change_statement, 5, last_transaction);
  sqlite3_bind_blob(change_statement, 6, mask, bytes, SQLITE_STATIC);
  run(change_statement);
}

void insert_change(int kind, int64_t key, const uint8_t mask[2]) {
  insert(kind, POST, key, mask, 2);
}

static void note(key_set *set, int64_t key) { set->words[key >> 6] |= UINT64_C(1) << (key & 63); }

void note_ends(int64_t thread, int64_t user) {
  note(&threads, thread);
  note(&users, user);
}

// Writes an update for each recorded object, and clears the list.
static void insert_noted(key_set *set, const uint8_t *mask, int bytes) {
  for (int64_t position = 0; position < set->word_count; position++) {
    for (uint64_t word = set->words[position]; word; word &= word - 1) {
      insert(UPDATE, set->entity, position * 64 + __builtin_ctzll(word), mask, bytes);
    }
    set->words[position] = 0;
  }
}

void end_history(void) {
  insert_noted(&threads, (const uint8_t[]){0x00, 0x40}, 2);  // posts: property 9
  insert_noted(&users, (const uint8_t[]){0x08}, 1);          // posts: property 4
  save_last(CHANGE, last_change);
}
