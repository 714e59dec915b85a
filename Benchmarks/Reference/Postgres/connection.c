#include "server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static PGconn *connection;
// The statements that were sent and whose results are pending.
static int sent_count;

void fail(const char *what) {
  const char *reason = connection ? PQerrorMessage(connection) : "";
  fprintf(stderr, "%s: %s\n", what, *reason ? reason : strerror(errno));
  exit(1);
}

void connect_server(const char *parameters) {
  connection = PQconnectdb(parameters);
  if (PQstatus(connection) != CONNECTION_OK) fail("connecting");
  if (!PQenterPipelineMode(connection)) fail("entering pipeline mode");
}

static void expect(PGresult *result, const char *what) {
  switch (PQresultStatus(result)) {
  case PGRES_COMMAND_OK:
  case PGRES_TUPLES_OK:
  case PGRES_SINGLE_TUPLE:
  case PGRES_PIPELINE_SYNC: return;
  default: fail(what);
  }
}

static PGresult *next_result(const char *what) {
  PGresult *result = PQgetResult(connection);
  if (!result) fail(what);
  expect(result, what);
  return result;
}

static void expect_end(void) {
  if (PQgetResult(connection)) fail("one more result than expected");
}

static void finish_sync(void) {
  PGresult *result = next_result("finishing");
  if (PQresultStatus(result) != PGRES_PIPELINE_SYNC) fail("finishing");
  PQclear(result);
}

static void sync_flight(void) {
  if (!PQpipelineSync(connection)) fail("sending");
}

void prepare_statement(const char *name, const char *text, int count, const Oid *types) {
  if (!PQsendPrepare(connection, name, text, count, types)) fail(text);
  sync_flight();
  PQclear(next_result(text));
  expect_end();
  finish_sync();
}

void send_statement(
    const char *name, int count, const char *const *values, const int *lengths) {
  int formats[COLUMN_COUNT];
  for (int i = 0; i < count; i++) formats[i] = 1;
  if (!PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)) fail(name);
  if (++sent_count > LARGEST_FLIGHT) fail("too many statements in a round trip");
}

int finish_flight(PGresult **results) {
  sync_flight();
  int count = sent_count;
  for (int i = 0; i < count; i++) {
    results[i] = next_result("executing");
    expect_end();
  }
  finish_sync();
  sent_count = 0;
  return count;
}

void finish_writes(void) {
  PGresult *results[LARGEST_FLIGHT];
  int count = finish_flight(results);
  for (int i = 0; i < count; i++) PQclear(results[i]);
}

void finish_rows(void (*body)(PGresult *result, void *context), void *context) {
  sync_flight();
  PQsetSingleRowMode(connection);
  for (;;) {
    PGresult *result = next_result("reading");
    int is_row = PQresultStatus(result) == PGRES_SINGLE_TUPLE;
    if (is_row) body(result, context);
    PQclear(result);
    if (!is_row) break;
  }
  expect_end();
  finish_sync();
  sent_count = 0;
}

int64_t server_number(const char *text) {
  if (!PQsendQueryParams(connection, text, 0, NULL, NULL, NULL, NULL, 0)) fail(text);
  sync_flight();
  PGresult *result = next_result(text);
  int64_t number = PQntuples(result) ? atoll(PQgetvalue(result, 0, 0)) : 0;
  PQclear(result);
  expect_end();
  finish_sync();
  return number;
}
