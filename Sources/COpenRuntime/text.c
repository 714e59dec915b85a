#include "COpenRuntime.h"

#include <string.h>

enum { HIGH_BIT = 0x80, BLOCK = 32 };

static const uint64_t HIGH_BITS = 0x8080808080808080;

// Returns whether eight bytes are ASCII.
static bool is_ascii_word(const unsigned char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return !(word & HIGH_BITS);
}

// Returns whether a block is ASCII.
static bool is_ascii_block(const unsigned char *bytes) {
  uint64_t words[BLOCK / sizeof(uint64_t)];
  memcpy(words, bytes, BLOCK);
  return !((words[0] | words[1] | words[2] | words[3]) & HIGH_BITS);
}

static bool is_continuation(unsigned char byte) { return (byte & 0xC0) == HIGH_BIT; }

// Returns the length of the well-formed sequence at the start of `count` bytes, or 0 if there is none. The ranges are those
// of the table of well-formed sequences in the Unicode standard.
static size_t sequence(const unsigned char *bytes, size_t count) {
  unsigned char first = bytes[0];
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  if (count < 2) return 0;
  unsigned char second = bytes[1];
  if (first < 0xE0) return is_continuation(second) ? 2 : 0;
  if (count < 3 || !is_continuation(second) || !is_continuation(bytes[2])) return 0;
  if (first < 0xF0) {
    if (first == 0xE0 && second < 0xA0) return 0;  // could be shorter
    if (first == 0xED && second > 0x9F) return 0;  // surrogates
    return 3;
  }
  if (count < 4 || !is_continuation(bytes[3])) return 0;
  if (first == 0xF0 && second < 0x90) return 0;  // could be shorter
  if (first == 0xF4 && second > 0x8F) return 0;  // beyond Unicode
  return 4;
}

ocd_text_kind ocd_kind_of_text(const void *text, size_t count) {
  const unsigned char *bytes = text;
  ocd_text_kind kind = OCD_TEXT_ASCII;
  size_t i = 0;
  while (i < count) {
    if (count - i >= BLOCK && is_ascii_block(bytes + i)) {
      i += BLOCK;
    } else if (count - i >= sizeof(uint64_t) && is_ascii_word(bytes + i)) {
      i += sizeof(uint64_t);
    } else {
      size_t length = sequence(bytes + i, count - i);
      if (length == 0) return OCD_TEXT_INVALID;
      if (length > 1) kind = OCD_TEXT_UTF8;
      i += length;
    }
  }
  return kind;
}
