// SHA-256 as FIPS 180-4 defines it.

#include "CAudioTags.h"

#include <algorithm>
#include <cstring>

namespace {

constexpr uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

inline uint32_t rotated(uint32_t word, int count) { return word >> count | word << (32 - count); }

void addBlock(uint32_t state[8], const uint8_t *block) {
  uint32_t schedule[64];
  for (int i = 0; i < 16; i++)
    schedule[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 |
                  uint32_t(block[4 * i + 2]) << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    const uint32_t early = schedule[i - 15], late = schedule[i - 2];
    schedule[i] = schedule[i - 16] + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) +
                  schedule[i - 7] + (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (int i = 0; i < 64; i++) {
    const uint32_t first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
                           ((e & f) ^ (~e & g)) + roundConstants[i] + schedule[i];
    const uint32_t second =
        (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const uint32_t sums[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; i++) state[i] += sums[i];
}

}  // namespace

audio_digest audio_digest_make(void) {
  return {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
           0x5be0cd19},
          0,
          {}};
}

void audio_digest_add(audio_digest *digest, const void *bytes, size_t count) {
  const uint8_t *next = static_cast<const uint8_t *>(bytes);
  const size_t held = digest->count % 64;
  digest->count += count;
  if (held > 0) {
    const size_t taken = std::min(count, 64 - held);
    memcpy(digest->block + held, next, taken);
    next += taken, count -= taken;
    if (held + taken < 64) return;
    addBlock(digest->state, digest->block);
  }
  for (; count >= 64; next += 64, count -= 64) addBlock(digest->state, next);
  if (count > 0) memcpy(digest->block, next, count);
}

void audio_digest_finish(audio_digest *digest, uint8_t *result) {
  const uint64_t bits = digest->count * 8;
  const size_t held = digest->count % 64;
  uint8_t padding[128] = {0x80};
  const size_t length = (held < 56 ? 56 : 120) - held;
  for (int i = 0; i < 8; i++) padding[length + i] = uint8_t(bits >> (56 - 8 * i));
  audio_digest_add(digest, padding, length + 8);
  for (int i = 0; i < 32; i++) result[i] = uint8_t(digest->state[i / 4] >> (24 - 8 * (i % 4)));
}
