#include "COpenSupport.h"
#include "external.h"
#include "packed.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int is_variable(int kind) { return kind >= OCD_TEXT; }

enum { DECIMAL_SIZE = 40 };

// Writes the shortest text that parses to the same number; SQLite's text has only 15 digits.
static size_t decimal_text(double real, char buffer[DECIMAL_SIZE]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buffer, DECIMAL_SIZE, "%.*g", digits, real);
    if (strtod(buffer, NULL) == real) break;
  }
  char *comma = strchr(buffer, ',');  // in a program that has set a locale
  if (comma) *comma = '.';
  return strlen(buffer);
}

// Returns whether SQLite can convert a text to a number without a loss.
static int is_number(const sqlite3_value *text) {
  sqlite3_value *copy = sqlite3_value_dup(text);
  int type = copy ? sqlite3_value_numeric_type(copy) : SQLITE_NULL;
  sqlite3_value_free(copy);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static int is_integer(double real) {
  return real >= -0x1p63 && real < 0x1p63 && real == (double)(int64_t)real;
}

int ocd_fits(sqlite3_value *value, int32_t kind) {
  int type = sqlite3_value_type(value);
  switch (kind) {
  case OCD_INTEGER:
    return type == SQLITE_INTEGER
      || (type == SQLITE_FLOAT && is_integer(sqlite3_value_double(value)));
  case OCD_REAL: return type == SQLITE_FLOAT || type == SQLITE_INTEGER;
  case OCD_DECIMAL:
    if (type == SQLITE_FLOAT) return isfinite(sqlite3_value_double(value)) != 0;
    return type == SQLITE_INTEGER || (type == SQLITE_TEXT && is_number(value));
  case OCD_TEXT: return type != SQLITE_BLOB;
  case OCD_UUID: return type == SQLITE_BLOB && sqlite3_value_bytes(value) == 16;
  default: return type == SQLITE_BLOB;
  }
}

// Returns the number of bytes that the statement's current row needs.
static size_t measure(
    sqlite3_stmt *statement, const ocd_row_plan *plan, const ocd_entity_plan *entity) {
  size_t size = ROW_HEADER + 8 * (size_t)entity->null_words + 8 * (size_t)entity->slot_count;
  for (uint32_t i = 0; i < entity->slot_count; i++) {
    const ocd_slot *slot = &entity->slots[i];
    if (!is_variable(slot->kind)) continue;
    if (sqlite3_column_type(statement, slot->column) == SQLITE_NULL) continue;
    // Uses the conversions of the packing loop, so that the sizes agree.
    if (slot->kind == OCD_DECIMAL
        && sqlite3_column_type(statement, slot->column) == SQLITE_FLOAT) {
      char digits[DECIMAL_SIZE];
      size += decimal_text(sqlite3_column_double(statement, slot->column), digits);
      continue;
    }
    const void *blob = NULL;
    if (slot->kind == OCD_TEXT || slot->kind == OCD_DECIMAL) {
      sqlite3_column_text(statement, slot->column);
    } else {
      blob = sqlite3_column_blob(statement, slot->column);
    }
    size_t length = (size_t)sqlite3_column_bytes(statement, slot->column);
    if (slot->kind == OCD_TAGGED_BLOB && blob && ocd_is_external(blob, length)) {
      int64_t file_size = ocd_external_size(plan->external_folder, blob);
      length = file_size < 0 ? 0 : (size_t)file_size;
    }
    size += length;
  }
  return (size + 7) & ~(size_t)7;
}

// A row's values. During a run, SQLite stores the values of all rows in the same objects, so this code requests them once,
// and again if the first or the last object differs. No mutex guards the connection, so the values can be read
// like protected ones.
enum { KNOWN_VALUES = 64 };
typedef struct {
  sqlite3_stmt *statement;
  int count;
  sqlite3_value *values[KNOWN_VALUES];
} row_values;

static inline void find_values(row_values *row) {
  int last = row->count - 1;
  if (last >= 0 && sqlite3_column_value(row->statement, 0) == row->values[0]
      && sqlite3_column_value(row->statement, last) == row->values[last]) return;
  int count = sqlite3_data_count(row->statement);
  row->count = count < KNOWN_VALUES ? count : KNOWN_VALUES;
  for (int i = 0; i < row->count; i++) row->values[i] = sqlite3_column_value(row->statement, i);
}

static inline sqlite3_value *value_at(const row_values *row, int column) {
  return column < row->count ? row->values[column] : sqlite3_column_value(row->statement, column);
}

static const ocd_entity_plan *entity_of_row(const row_values *row, const ocd_row_plan *plan) {
  if (plan->entity_column < 0) return plan->entities;
  int64_t number = sqlite3_value_int64(value_at(row, plan->entity_column));
  uint64_t position = (uint64_t)number - (uint64_t)plan->first_entity;
  if (position >= plan->entity_count || !plan->entities[position].slots) return NULL;
  return &plan->entities[position];
}

// Returns whether a value of an unusual type can be read.
static int is_readable(sqlite3_value *value, const ocd_slot *slot) {
  return slot->usual_type == OCD_ANY_TYPE || ocd_fits(value, slot->kind);
}

static int stop_at(ocd_chunk *chunk, const ocd_entity_plan *entity, uint32_t slot, int outcome) {
  chunk->damaged_entity = entity->entity_index;
  chunk->damaged_slot = slot;
  return outcome;
}

static const size_t LONGEST_ROW = UINT32_MAX & ~(size_t)7;

// Packs the current row; returns OCD_DONE on success.
static int pack_row(const row_values *values, const ocd_row_plan *plan, ocd_chunk *chunk) {
  const ocd_entity_plan *entity = entity_of_row(values, plan);
  if (!entity) return OCD_UNKNOWN_ENTITY;
  char *row = chunk->base + chunk->used;
  size_t available = chunk->capacity - chunk->used;
  size_t cursor = ROW_HEADER + 8 * (size_t)entity->null_words + 8 * (size_t)entity->slot_count;
  if (cursor > available) return OCD_FULL;
  uint64_t *nulls = (uint64_t *)(row + ROW_HEADER);
  int64_t *slots = (int64_t *)(row + ROW_HEADER) + entity->null_words;
  for (uint32_t word = 0; word < entity->null_words; word++) nulls[word] = UINT64_MAX;
  uint64_t present = 0;
  const ocd_slot *plans = entity->slots;
  for (uint32_t i = 0, count = entity->slot_count; i < count; i++) {
    sqlite3_value *value = value_at(values, plans[i].column);
    int type = sqlite3_value_type(value);
    if (type == SQLITE_NULL) {
      slots[i] = 0;
    } else if (type != plans[i].usual_type && !is_readable(value, &plans[i])) {
      if (!chunk->skips_damage) return stop_at(chunk, entity, i, OCD_UNFIT_VALUE);
      slots[i] = 0;
    } else {
      present |= 1ull << (i & 63);
      switch (plans[i].kind) {
      case OCD_INTEGER: slots[i] = sqlite3_value_int64(value); break;
      case OCD_REAL: {
        double real = sqlite3_value_double(value);
        memcpy(&slots[i], &real, 8);
        break;
      }
      default: {
        char digits[DECIMAL_SIZE];
        const char *bytes;
        size_t length;
        if (plans[i].kind == OCD_DECIMAL && type == SQLITE_FLOAT) {
          bytes = digits;
          length = decimal_text(sqlite3_value_double(value), digits);
        } else {
          bytes = plans[i].kind == OCD_TEXT || plans[i].kind == OCD_DECIMAL
            ? (const char *)sqlite3_value_text(value)
            : (const char *)sqlite3_value_blob(value);
          length = bytes ? (size_t)sqlite3_value_bytes(value) : 0;
        }
        if (plans[i].kind == OCD_TAGGED_BLOB && length > 0) {
          if (ocd_is_external(bytes, length)) {
            int64_t size = ocd_external_size(plan->external_folder, bytes);
            if (size > (int64_t)(available - cursor)) return OCD_FULL;
            if (size < 0 || !ocd_read_external(
                              plan->external_folder, bytes, row + cursor, (size_t)size)) {
              if (!chunk->skips_damage) return stop_at(chunk, entity, i, OCD_EXTERNAL_BLOB);
              present &= ~(1ull << (i & 63));
              slots[i] = 0;
              break;
            }
            slots[i] = (int64_t)((uint64_t)size << 32 | (uint64_t)cursor);
            cursor += (size_t)size;
            break;
          }
          if (bytes[0] == 1) bytes++, length--;
        }
        if (length > available - cursor) return OCD_FULL;
        if (length > 0) memcpy(row + cursor, bytes, length);
        slots[i] = (int64_t)((uint64_t)length << 32 | (uint64_t)cursor);
        cursor += length;
      }
      }
    }
    if ((i & 63) == 63 || i + 1 == count) {
      nulls[i >> 6] = ~present;
      present = 0;
    }
  }
  size_t total = (cursor + 7) & ~(size_t)7;
  if (total > available) return OCD_FULL;
  if (total > LONGEST_ROW) return stop_at(chunk, entity, 0, OCD_LONG_ROW);
  int64_t key = sqlite3_value_int64(value_at(values, plan->key_column));
  int64_t version = sqlite3_value_int64(value_at(values, plan->version_column));
  uint32_t length = (uint32_t)total;
  memcpy(row, &key, 8);
  memcpy(row + 8, &version, 8);
  memcpy(row + 16, &entity->entity_index, 4);
  memcpy(row + 20, &length, 4);
  chunk->used += total;
  chunk->row_count++;
  return OCD_DONE;
}

int ocd_pack_rows(sqlite3_stmt *statement, const ocd_row_plan *plan, ocd_chunk *chunk) {
  row_values values;
  values.statement = statement;
  values.count = 0;
  for (;;) {
    if (!chunk->has_pending_row) {
      int code = sqlite3_step(statement);
      if (code == SQLITE_DONE) return OCD_DONE;
      if (code != SQLITE_ROW) return OCD_FAILED;
    }
    find_values(&values);
    int outcome = pack_row(&values, plan, chunk);
    if (outcome == OCD_FULL) {
      chunk->has_pending_row = 1;
      const ocd_entity_plan *entity = entity_of_row(&values, plan);
      chunk->needed = measure(statement, plan, entity);
      if (chunk->needed > LONGEST_ROW) return stop_at(chunk, entity, 0, OCD_LONG_ROW);
    }
    if (outcome != OCD_DONE) return outcome;
    chunk->has_pending_row = 0;
  }
}

int ocd_collect_keys(
    sqlite3_stmt *statement, int key_column, int entity_column, int first_index, int entity_count,
    void *keys, size_t capacity, size_t *count) {
  ocd_object_key *collected = keys;
  while (*count < capacity) {
    int code = sqlite3_step(statement);
    if (code == SQLITE_DONE) return OCD_DONE;
    if (code != SQLITE_ROW) return OCD_FAILED;
    int64_t index = first_index;
    if (entity_column >= 0) {
      index = sqlite3_column_int64(statement, entity_column);
      int64_t end_index = (int64_t)first_index + entity_count;
      if (index <= first_index || index > end_index) return OCD_UNKNOWN_ENTITY;
      index--;
    }
    collected[*count].entity_index = (int32_t)index;
    collected[*count].key = sqlite3_column_int64(statement, key_column);
    (*count)++;
  }
  return OCD_FULL;
}

static int bind_tagged(sqlite3_stmt *statement, int index, const char *bytes, size_t length) {
  const ocd_external_sink *sink = ocd_external_sink_of_thread();
  if (sink && length > sink->threshold) {
    char reference[OCD_REFERENCE_LENGTH];
    int code = sink->store(sink->context, bytes, length, reference);
    if (code != SQLITE_OK) return code;
    return sqlite3_bind_blob(statement, index, reference, sizeof reference, SQLITE_TRANSIENT);
  }
  char *copy = sqlite3_malloc64(length + 1);
  if (!copy) return SQLITE_NOMEM;
  copy[0] = 1;
  if (length > 0) memcpy(copy + 1, bytes, length);
  return sqlite3_bind_blob64(statement, index, copy, length + 1, sqlite3_free);
}

static int bind_part(
    sqlite3_stmt *statement, int index, const char *row, const ocd_binding *binding,
    int64_t expected) {
  packed_value value = value_of(row, binding, expected);
  switch (value.kind) {
  case NO_VALUE: return sqlite3_bind_null(statement, index);
  case OCD_INTEGER: return sqlite3_bind_int64(statement, index, value.integer);
  case OCD_REAL: return sqlite3_bind_double(statement, index, value.real);
  case OCD_TAGGED_BLOB: return bind_tagged(statement, index, value.bytes, value.length);
  case OCD_BLOB: return ocd_bind_static_blob(statement, index, value.bytes, value.length);
  default: return ocd_bind_static_text(statement, index, value.bytes, value.length);
  }
}

int ocd_bind_row(
    sqlite3_stmt *statement, const void *row, const ocd_binding *bindings, int count,
    int64_t expected) {
  for (int i = 0; i < count; i++) {
    int code = bind_part(statement, i + 1, row, &bindings[i], expected);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

int ocd_write_row(
    sqlite3_stmt *statement, const void *row, const ocd_binding *bindings, int count,
    int64_t expected) {
  int bound = ocd_bind_row(statement, row, bindings, count, expected);
  if (bound != SQLITE_OK) return bound;
  int stepped = sqlite3_step(statement);
  int code = sqlite3_reset(statement);
  if (stepped == SQLITE_DONE) return SQLITE_DONE;
  return code != SQLITE_OK ? code : stepped;
}

int ocd_bind_static_text(sqlite3_stmt *statement, int index, const void *bytes, size_t length) {
  const char *text = length ? bytes : "";
  return sqlite3_bind_text64(statement, index, text, length, SQLITE_STATIC, SQLITE_UTF8);
}

int ocd_bind_static_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t length) {
  return sqlite3_bind_blob64(statement, index, length ? bytes : "", length, SQLITE_STATIC);
}

void ocd_result_text(sqlite3_context *context, const void *bytes, size_t length) {
  const char *text = length ? bytes : "";
  sqlite3_result_text64(context, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

void ocd_result_blob(sqlite3_context *context, const void *bytes, size_t length) {
  sqlite3_result_blob64(context, length ? bytes : "", length, SQLITE_TRANSIENT);
}

void ocd_disable_memory_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

void ocd_harden(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}

void ocd_reset_database(sqlite3 *database, int is_on) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, is_on, (int *)0);
}
