// The tags that TagLib reads from an audio file, as C values, and a digest. No exception leaves these functions, and only
// `audio_tags_write` changes a file.
#ifndef C_AUDIO_TAGS_H
#define C_AUDIO_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The kind of file, by its content.
typedef enum {
  AUDIO_CONTAINER_MPEG = 0,
  AUDIO_CONTAINER_FLAC = 1,
  AUDIO_CONTAINER_VORBIS = 2,
  AUDIO_CONTAINER_OPUS = 3,
  AUDIO_CONTAINER_MP4 = 4,
  AUDIO_CONTAINER_WAV = 5,
} audio_container;

typedef enum {
  AUDIO_TAGS_READ = 0,
  // TagLib takes the file for none of its kind, or finds no audio in it.
  AUDIO_TAGS_INVALID = 1,
  // Reading it would take more than the budget.
  AUDIO_TAGS_COSTLY = 2,
  // Memory ran out, or TagLib threw something else.
  AUDIO_TAGS_FAILED = 3,
} audio_tags_outcome;

// Bytes of UTF-8; zero bytes may be among them.
typedef struct {
  const char *_Nullable bytes;
  size_t count;
} audio_text;

// One value of a field. A field with several values occurs several times.
typedef struct {
  audio_text name;
  audio_text value;
} audio_field;

typedef struct {
  audio_text media_type;
  // The number that ID3v2 and FLAC give kinds of pictures; 3 is the front cover.
  int32_t kind;
  const uint8_t *_Nullable bytes;
  size_t count;
} audio_picture;

// Everything lives until `audio_tags_release`.
typedef struct {
  audio_text codec;
  int32_t duration_in_milliseconds;
  int32_t bitrate_in_kilobits;
  int32_t sample_rate;
  int32_t channels;
  // 0 where the codec has none.
  int32_t bits_per_sample;
  const audio_field *_Nullable fields;
  size_t field_count;
  const audio_picture *_Nullable pictures;
  // The number of pictures in the file; `pictures` contains them if they were requested.
  size_t picture_count;
} audio_tags;

// Reads an open file, whose position and content stay as they are.
//
// `budget` limits the bytes that are read, counting each read as at least 512. `tags` is set only when the outcome is
// AUDIO_TAGS_READ.
audio_tags_outcome audio_tags_read(int descriptor, audio_container container, uint64_t budget,
                                   bool wants_pictures, audio_tags *_Nullable *_Nonnull tags);

void audio_tags_release(audio_tags *_Nullable tags);

// Replaces fields of the tags of a file, which TagLib changes in place. A field whose only value has no bytes is removed;
// all other fields stay. Keeps the version of ID3v2 tags.
//
// Returns false if TagLib did not save the file. TagLib does not report every failed write, so read the file afterwards.
bool audio_tags_write(const char *_Nonnull path, audio_container container,
                      const audio_field *_Nonnull fields, size_t count);

// A SHA-256 digest under way; a value that may be copied.
typedef struct {
  uint32_t state[8];
  uint64_t count;
  uint8_t block[64];
} audio_digest;

audio_digest audio_digest_make(void);
void audio_digest_add(audio_digest *_Nonnull digest, const void *_Nullable bytes, size_t count);
// The 32 bytes of the digest of all that was added; ends its use.
void audio_digest_finish(audio_digest *_Nonnull digest, uint8_t *_Nonnull result);

#ifdef __cplusplus
}
#endif
#endif
