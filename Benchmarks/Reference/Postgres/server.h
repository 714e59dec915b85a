// The performance limit of a store in PostgreSQL: the same work directly on libpq, in the fastest form measured. Statements are prepared,
// values are binary, writes bind one array for each column, and each save is one round trip.
#ifndef SERVER_H
#define SERVER_H

#include "../reference.h"

#include <libpq-fe.h>

// The columns of an insertion, and the statements of one round trip.
enum { COLUMN_COUNT = 13, LARGEST_FLIGHT = 8 };

// MARK: connection.c

// Connects with psql's connection parameters, and enters pipeline mode.
void connect_server(const char *parameters);
// Prepares a statement. Types are those of the parameters.
void prepare_statement(const char *name, const char *text, int count, const Oid *types);
// Sends a prepared statement with binary values, without waiting for its result.
void send_statement(
    const char *name, int count, const char *const *values, const int *lengths);
// Ends a round trip and reads its results; one result for each statement that was sent. The caller clears them.
int finish_flight(PGresult **results);
// Ends a round trip whose results have no rows that matter.
void finish_writes(void);
// Ends a round trip with one statement, and passes on its rows one by one as they arrive.
void finish_rows(void (*body)(PGresult *result, void *context), void *context);
// Evaluates a statement that returns an integer. The connection must have no open round trip.
int64_t server_number(const char *text);

// MARK: arrays.c

// An array parameter in binary form.
typedef struct {
  Oid element;
  char *bytes;
  size_t length, capacity;
  int count;
} array;

extern const Oid INT2, INT4, INT8, FLOAT8, TEXT;
extern const Oid INT2_ARRAY, INT4_ARRAY, INT8_ARRAY, FLOAT8_ARRAY, TEXT_ARRAY;

// Removes the elements, and keeps the memory.
void clear_array(array *array, Oid element);
void add_int16(array *array, int16_t value);
void add_int32(array *array, int32_t value);
void add_int64(array *array, int64_t value);
void add_double(array *array, double value);
// Adds a string, or null if there is none.
void add_text(array *array, const char *text, int length);
// Writes the number of elements into the head, and binds the array.
void bind_array(array *array, const char **value, int *length);

// Values of one number in binary form.
void bind_int32(char bytes[4], int32_t value, const char **bound, int *length);
void bind_int64(char bytes[8], int64_t value, const char **bound, int *length);

// Integers and doubles of a result.
int16_t int16_at(const PGresult *result, int row, int column);
int32_t int32_at(const PGresult *result, int row, int column);
int64_t int64_at(const PGresult *result, int row, int column);
double double_at(const PGresult *result, int row, int column);

#endif
