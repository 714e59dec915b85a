#define _GNU_SOURCE
#include "COpenSupport.h"

#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 4096 };

// Copies ASCII bytes in lower case; the result has the high bit when a byte is not ASCII.
static uint8_t lower(uint8_t *to, const uint8_t *from, size_t length) {
  uint8_t all = 0;
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = from[i];
    all |= byte;
    to[i] = (uint8_t)(byte - 'A') < 26 ? byte | 32 : byte;
  }
  return all;
}

int ocd_contains_bytes(const void *text, size_t length, const void *part, size_t part_length) {
  if (part_length == 0 || part_length > length) return 0;
  return memmem(text, length, part, part_length) != NULL;
}

int ocd_contains_ascii(
    const void *text, size_t length, const void *part, size_t part_length, int ignoring_case) {
  uint8_t fixed[STACK_BYTES];
  size_t needed = length + part_length;
  uint8_t *copy = needed <= sizeof fixed ? fixed : malloc(needed);
  if (!copy) return -1;
  int result = -1;
  if ((lower(copy, text, length) | lower(copy + length, part, part_length)) < 0x80) {
    result = ignoring_case
      ? ocd_contains_bytes(copy, length, copy + length, part_length)
      : ocd_contains_bytes(text, length, part, part_length);
  }
  if (copy != fixed) free(copy);
  return result;
}
