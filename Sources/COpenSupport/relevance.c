#include "COpenSupport.h"

#include <math.h>
#include <stddef.h>

// Ranks rows like FTS5's bm25(), https://sqlite.org/fts5.html#the_bm25_function, with fewer reads: bm25() counts the rows
// of every phrase, which reads the whole index. The weight of a query's only phrase does not change the order of the rows,
// so this function does not count its rows; and counting stops at half of all rows, because the weight is at its minimum
// from there on.

static const double SATURATION = 1.2, LENGTH_SHARE = 0.75, SMALLEST_WEIGHT = 1e-6;

// The state that is the same for all rows.
typedef struct {
  double average_length;
  int phrase_count;
  // The weight of each phrase, followed by space for its number of occurrences in the row.
  double numbers[];
} ranking;

typedef struct {
  sqlite3_int64 found, all;
} row_count;

static int count_row(const Fts5ExtensionApi *api, Fts5Context *search, void *user) {
  (void)api, (void)search;
  row_count *count = user;
  count->found++;
  return 2 * count->found >= count->all ? SQLITE_DONE : SQLITE_OK;
}

static int weigh(
    const Fts5ExtensionApi *api, Fts5Context *search, int phrase, sqlite3_int64 all,
    double *weight) {
  row_count count = {0, all};
  int code = api->xQueryPhrase(search, phrase, &count, count_row);
  *weight = log((double)(all - count.found) + 0.5) - log((double)count.found + 0.5);
  if (*weight <= 0) *weight = SMALLEST_WEIGHT;
  return code;
}

static int begin(const Fts5ExtensionApi *api, Fts5Context *search, ranking **result) {
  int count = api->xPhraseCount(search);
  sqlite3_int64 rows = 0, words = 0;
  int code = api->xRowCount(search, &rows);
  if (code == SQLITE_OK) code = api->xColumnTotalSize(search, -1, &words);
  if (code != SQLITE_OK) return code;
  ranking *made = sqlite3_malloc64(sizeof *made + 2 * (size_t)count * sizeof(double));
  if (!made) return SQLITE_NOMEM;
  made->average_length = rows > 0 ? (double)words / (double)rows : 1;
  made->phrase_count = count;
  for (int phrase = 0; phrase < count && code == SQLITE_OK; phrase++) {
    made->numbers[phrase] = 1;
    if (count > 1) code = weigh(api, search, phrase, rows, &made->numbers[phrase]);
  }
  // SQLite takes ownership of the memory, even on failure.
  int kept = api->xSetAuxdata(search, made, sqlite3_free);
  *result = made;
  return code != SQLITE_OK ? code : kept;
}

static int score(
    const Fts5ExtensionApi *api, Fts5Context *search, ranking *ranking, double *result) {
  double *times = ranking->numbers + ranking->phrase_count;
  for (int phrase = 0; phrase < ranking->phrase_count; phrase++) times[phrase] = 0;
  int count = 0, length = 0;
  int code = api->xInstCount(search, &count);
  for (int place = 0; place < count && code == SQLITE_OK; place++) {
    int phrase, column, offset;
    code = api->xInst(search, place, &phrase, &column, &offset);
    if (code == SQLITE_OK) times[phrase] += 1;
  }
  if (code == SQLITE_OK) code = api->xColumnSize(search, -1, &length);
  double part = 1 - LENGTH_SHARE + LENGTH_SHARE * length / ranking->average_length;
  *result = 0;
  for (int phrase = 0; phrase < ranking->phrase_count; phrase++) {
    *result -= ranking->numbers[phrase] * times[phrase] * (SATURATION + 1)
        / (times[phrase] + SATURATION * part);
  }
  return code;
}

static void relevance(
    const Fts5ExtensionApi *api, Fts5Context *search, sqlite3_context *context, int count,
    sqlite3_value **arguments) {
  (void)count, (void)arguments;
  ranking *ranking = api->xGetAuxdata(search, 0);
  double result = 0;
  int code = ranking ? SQLITE_OK : begin(api, search, &ranking);
  if (code == SQLITE_OK) code = score(api, search, ranking, &result);
  if (code != SQLITE_OK) return sqlite3_result_error_code(context, code);
  sqlite3_result_double(context, result);
}

void ocd_offer_relevance(sqlite3 *database, const char *name) {
  fts5_api *api = NULL;
  sqlite3_stmt *statement = NULL;
  // The function is unavailable in an SQLite without FTS5.
  if (sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, NULL) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  if (api) api->xCreateFunction(api, name, NULL, relevance, NULL);
}
