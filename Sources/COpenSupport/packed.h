// Values of packed rows, as statements bind them.
#ifndef OCD_PACKED_H
#define OCD_PACKED_H

#include "COpenSupport.h"

#include <string.h>

enum { ROW_HEADER = 24, NO_VALUE = -1 };

// A value, with one of the kinds of slots or NO_VALUE. The row contains the bytes.
typedef struct {
  int kind;
  int64_t integer;
  double real;
  const char *bytes;
  size_t length;
} packed_value;

// Returns the value of a row for a binding; `expected` is the value of OCD_EXPECTED.
static inline packed_value value_of(
    const char *row, const ocd_binding *binding, int64_t expected) {
  packed_value value = {.kind = OCD_INTEGER};
  switch (binding->kind) {
  case OCD_KEY: value.integer = *(const int64_t *)row; return value;
  case OCD_VERSION: value.integer = *(const int64_t *)(row + 8); return value;
  case OCD_ENTITY: value.integer = (int64_t) * (const uint32_t *)(row + 16) + 1; return value;
  case OCD_EXPECTED: value.integer = expected; return value;
  default: break;
  }
  uint64_t word = ((const uint64_t *)(row + ROW_HEADER))[binding->slot >> 6];
  value.kind = word >> (binding->slot & 63) & 1 ? NO_VALUE : binding->kind;
  uint64_t packed;
  memcpy(&packed, row + binding->offset, 8);
  value.integer = (int64_t)packed;
  memcpy(&value.real, &packed, 8);
  value.length = (size_t)(packed >> 32);
  value.bytes = value.length ? row + (packed & UINT32_MAX) : "";
  return value;
}

#endif
