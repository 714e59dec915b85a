#define _GNU_SOURCE
#include "server.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

const Oid INT2 = 21, INT4 = 23, INT8 = 20, FLOAT8 = 701, TEXT = 25;
const Oid INT2_ARRAY = 1005, INT4_ARRAY = 1007, INT8_ARRAY = 1016, FLOAT8_ARRAY = 1022,
          TEXT_ARRAY = 1009;

// Number of dimensions, presence of nulls, type, number of elements, first index.
enum { HEAD = 5 * 4, COUNT_PLACE = 3 * 4 };

static void add_bytes(array *array, const void *bytes, size_t length) {
  if (array->length + length > array->capacity) {
    array->capacity = 2 * (array->length + length);
    array->bytes = realloc(array->bytes, array->capacity);
    if (!array->bytes) fail("not enough memory");
  }
  memcpy(array->bytes + array->length, bytes, length);
  array->length += length;
}

static void add_word(array *array, uint32_t word) {
  word = htobe32(word);
  add_bytes(array, &word, sizeof word);
}

void clear_array(array *array, Oid element) {
  array->element = element;
  array->length = 0;
  array->count = 0;
  const uint32_t head[] = {1, 1, element, 0, 1};
  for (size_t i = 0; i < sizeof head / sizeof *head; i++) add_word(array, head[i]);
}

static void add(array *array, const void *bytes, uint32_t length) {
  add_word(array, length);
  add_bytes(array, bytes, length);
  array->count++;
}

void add_int16(array *array, int16_t value) {
  uint16_t bytes = htobe16((uint16_t)value);
  add(array, &bytes, sizeof bytes);
}

void add_int32(array *array, int32_t value) {
  uint32_t bytes = htobe32((uint32_t)value);
  add(array, &bytes, sizeof bytes);
}

void add_int64(array *array, int64_t value) {
  uint64_t bytes = htobe64((uint64_t)value);
  add(array, &bytes, sizeof bytes);
}

void add_double(array *array, double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  add_int64(array, bits);
}

void add_text(array *array, const char *text, int length) {
  if (text) {
    add(array, text, (uint32_t)length);
  } else {
    add_word(array, UINT32_MAX);
    array->count++;
  }
}

void bind_array(array *array, const char **value, int *length) {
  uint32_t count = htobe32((uint32_t)array->count);
  memcpy(array->bytes + COUNT_PLACE, &count, sizeof count);
  *value = array->bytes;
  *length = (int)array->length;
}

void bind_int32(char bytes[4], int32_t value, const char **bound, int *length) {
  uint32_t word = htobe32((uint32_t)value);
  memcpy(bytes, &word, sizeof word);
  *bound = bytes;
  *length = sizeof word;
}

void bind_int64(char bytes[8], int64_t value, const char **bound, int *length) {
  uint64_t word = htobe64((uint64_t)value);
  memcpy(bytes, &word, sizeof word);
  *bound = bytes;
  *length = sizeof word;
}

int16_t int16_at(const PGresult *result, int row, int column) {
  uint16_t bytes;
  memcpy(&bytes, PQgetvalue(result, row, column), sizeof bytes);
  return (int16_t)be16toh(bytes);
}

int32_t int32_at(const PGresult *result, int row, int column) {
  uint32_t bytes;
  memcpy(&bytes, PQgetvalue(result, row, column), sizeof bytes);
  return (int32_t)be32toh(bytes);
}

int64_t int64_at(const PGresult *result, int row, int column) {
  uint64_t bytes;
  memcpy(&bytes, PQgetvalue(result, row, column), sizeof bytes);
  return (int64_t)be64toh(bytes);
}

double double_at(const PGresult *result, int row, int column) {
  int64_t bits = int64_at(result, row, column);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
