#define _GNU_SOURCE
#include "COpenSupport.h"

#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 4096, BLOCK = 16, FORM = 4 };

int ocd_contains_bytes(const void *text, size_t length, const void *part, size_t part_length) {
  if (part_length == 0 || part_length > length) return 0;
  return memmem(text, length, part, part_length) != NULL;
}

// Folds a block of ASCII characters; returns false, with undefined output, if there are other characters.
static int fold_ascii(uint8_t *to, const uint8_t *from, int ignoring_case) {
  uint8_t all = 0;
  for (int i = 0; i < BLOCK; i++) {
    uint8_t byte = from[i];
    all |= byte;
    to[i] = (uint8_t)(byte - 'A') < 26 && ignoring_case ? byte | 32 : byte;
  }
  return all < 0x80;
}

static int is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Returns the length of the character at a position and its code; 0 if the table does not contain the character.
static size_t decode(const uint8_t *from, size_t length, uint32_t *code) {
  if (from[0] < 0x80) {
    *code = from[0];
    return 1;
  }
  if ((from[0] & 0xE0) == 0xC0 && length > 1 && is_continuation(from[1])) {
    *code = (from[0] & 0x1Fu) << 6 | (from[1] & 0x3F);
    return *code < 0x80 ? 0 : 2;
  }
  if ((from[0] & 0xF0) == 0xE0 && length > 2 && is_continuation(from[1])
      && is_continuation(from[2])) {
    *code = (from[0] & 0x0Fu) << 12 | (from[1] & 0x3Fu) << 6 | (from[2] & 0x3F);
    return *code < 0x800 ? 0 : 3;
  }
  return 0;
}

// Writes the folded text, at most 2 bytes for each input byte plus 16; returns the end, or NULL.
static uint8_t *fold(
    uint8_t *to, const uint8_t *from, size_t length, const uint8_t *forms, uint32_t end) {
  int ignoring_case = forms['A' * FORM + 1] == 'a';
  size_t i = 0;
  while (i < length) {
    if (length - i >= BLOCK && fold_ascii(to, from + i, ignoring_case)) {
      to += BLOCK;
      i += BLOCK;
      continue;
    }
    size_t block_end = length - i < BLOCK ? length : i + BLOCK;
    while (i < block_end) {
      uint32_t code;
      size_t width = decode(from + i, length - i, &code);
      if (width == 0) return NULL;
      if (code < end) {
        const uint8_t *form = forms + code * FORM;
        if (form[0] == 0) return NULL;
        memcpy(to, form + 1, FORM - 1);
        to += form[0];
      } else if (code >= 0x4E00 && code <= 0x9FFF) {
        memcpy(to, from + i, width);
        to += width;
      } else {
        return NULL;
      }
      i += width;
    }
  }
  return to;
}

int ocd_contains_folded(
    const void *text, size_t length, const void *part, size_t part_length, const uint8_t *forms,
    uint32_t end) {
  uint8_t fixed[STACK_BYTES];
  size_t needed = 2 * (length + part_length + BLOCK);
  uint8_t *copy = needed <= sizeof fixed ? fixed : malloc(needed);
  if (!copy) return -1;
  int result = -1;
  uint8_t *part_end = fold(copy, part, part_length, forms, end);
  uint8_t *text_end = part_end ? fold(part_end, text, length, forms, end) : NULL;
  if (text_end) {
    result = ocd_contains_bytes(
        part_end, (size_t)(text_end - part_end), copy, (size_t)(part_end - copy));
  }
  if (copy != fixed) free(copy);
  return result;
}
