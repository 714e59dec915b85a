#include "CAudioTags.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <attachedpictureframe.h>
#include <flacfile.h>
#include <flacpicture.h>
#include <id3v2framefactory.h>
#include <id3v2tag.h>
#include <mp4file.h>
#include <mpegfile.h>
#include <opusfile.h>
#include <tdebuglistener.h>
#include <tpropertymap.h>
#include <vorbisfile.h>
#include <wavfile.h>
#include <xiphcomment.h>

#include "DescriptorStream.h"
#include "Silence.h"

using namespace TagLib;

namespace {

class SilentListener final : public DebugListener {
  void printMessage(const String &) override {}
};

// The tags with the memory that they point into.
struct OwnedTags final : audio_tags {
  explicit OwnedTags(bool wantsPictures) : audio_tags(), wantsPictures(wantsPictures) {}

  const bool wantsPictures;
  std::deque<std::string> texts;
  std::deque<ByteVector> blocks;
  std::vector<audio_field> fieldList;
  std::vector<audio_picture> pictureList;

  audio_text keep(const String &text) {
    texts.push_back(text.to8Bit(true));
    return {texts.back().data(), texts.back().size()};
  }

  void addPicture(const String &mediaType, int kind, const ByteVector &bytes) {
    picture_count += 1;
    if (!wantsPictures) return;
    blocks.push_back(bytes);
    const ByteVector &kept = blocks.back();
    pictureList.push_back({keep(mediaType), kind, reinterpret_cast<const uint8_t *>(kept.data()),
                           kept.size()});
  }

  void finish() {
    fields = fieldList.data();
    field_count = fieldList.size();
    pictures = pictureList.data();
  }
};

void addFields(OwnedTags &tags, const PropertyMap &map) {
  for (const auto &field : map)
    for (const auto &value : field.second)
      tags.fieldList.push_back({tags.keep(field.first), tags.keep(value)});
}

void addProperties(OwnedTags &tags, const String &codec, const AudioProperties &properties,
                   int bitsPerSample) {
  tags.codec = tags.keep(codec);
  tags.duration_in_milliseconds = properties.lengthInMilliseconds();
  tags.bitrate_in_kilobits = properties.bitrate();
  tags.sample_rate = properties.sampleRate();
  tags.channels = properties.channels();
  tags.bits_per_sample = bitsPerSample;
}

void addPictures(OwnedTags &tags, const ID3v2::Tag *tag) {
  if (!tag) return;
  for (const auto *frame : tag->frameList("APIC"))
    if (const auto *picture = dynamic_cast<const ID3v2::AttachedPictureFrame *>(frame))
      tags.addPicture(picture->mimeType(), picture->type(), picture->picture());
}

void addPictures(OwnedTags &tags, const List<FLAC::Picture *> &pictures) {
  for (const auto *picture : pictures)
    tags.addPicture(picture->mimeType(), picture->type(), picture->data());
}

bool read(OwnedTags &tags, MPEG::File &file) {
  const auto *properties = file.audioProperties();
  if (!properties || properties->layer() < 1) return false;
  addProperties(tags, String("MP") + String::number(properties->layer()), *properties, 0);
  addPictures(tags, file.ID3v2Tag());
  return true;
}

bool read(OwnedTags &tags, FLAC::File &file) {
  const auto *properties = file.audioProperties();
  if (!properties) return false;
  addProperties(tags, "FLAC", *properties, properties->bitsPerSample());
  addPictures(tags, file.pictureList());
  if (file.hasXiphComment()) addPictures(tags, file.xiphComment()->pictureList());
  return true;
}

bool read(OwnedTags &tags, Ogg::Vorbis::File &file) {
  const auto *properties = file.audioProperties();
  if (!properties || !file.tag()) return false;
  addProperties(tags, "Vorbis", *properties, 0);
  addPictures(tags, file.tag()->pictureList());
  return true;
}

bool read(OwnedTags &tags, Ogg::Opus::File &file) {
  const auto *properties = file.audioProperties();
  if (!properties || !file.tag()) return false;
  addProperties(tags, "Opus", *properties, 0);
  addPictures(tags, file.tag()->pictureList());
  return true;
}

const char *mediaType(const MP4::CoverArt &cover) {
  switch (cover.format()) {
    case MP4::CoverArt::JPEG: return "image/jpeg";
    case MP4::CoverArt::PNG: return "image/png";
    case MP4::CoverArt::GIF: return "image/gif";
    case MP4::CoverArt::BMP: return "image/bmp";
    default: return "";
  }
}

bool read(OwnedTags &tags, MP4::File &file) {
  const auto *properties = file.audioProperties();
  if (!properties || !file.tag()) return false;
  const bool isLossless = properties->codec() == MP4::Properties::ALAC;
  const char *codec = isLossless ? "ALAC" : properties->codec() == MP4::Properties::AAC ? "AAC" : "";
  addProperties(tags, codec, *properties, isLossless ? properties->bitsPerSample() : 0);
  for (const auto &cover : file.tag()->item("covr").toCoverArtList())
    tags.addPicture(mediaType(cover), 3, cover.data());
  return true;
}

bool read(OwnedTags &tags, RIFF::WAV::File &file) {
  const auto *properties = file.audioProperties();
  if (!properties) return false;
  const char *codec = "WAV";
  if (properties->format() == 1) codec = "PCM";
  if (properties->format() == 3) codec = "Float PCM";
  addProperties(tags, codec, *properties, properties->bitsPerSample());
  if (file.hasID3v2Tag()) addPictures(tags, file.ID3v2Tag());
  return true;
}

template <typename AudioFile> bool readAll(OwnedTags &tags, AudioFile &&file) {
  if (!file.isValid() || !read(tags, file)) return false;
  if (tags.sample_rate <= 0 || tags.channels <= 0 || tags.duration_in_milliseconds < 0) return false;
  addFields(tags, file.properties());
  tags.finish();
  return true;
}

bool read(OwnedTags &tags, DescriptorStream &stream, audio_container container) {
  auto *frames = ID3v2::FrameFactory::instance();
  switch (container) {
    case AUDIO_CONTAINER_MPEG: return readAll(tags, MPEG::File(&stream, frames));
    case AUDIO_CONTAINER_FLAC: return readAll(tags, FLAC::File(&stream, frames));
    case AUDIO_CONTAINER_VORBIS: return readAll(tags, Ogg::Vorbis::File(&stream));
    case AUDIO_CONTAINER_OPUS: return readAll(tags, Ogg::Opus::File(&stream));
    case AUDIO_CONTAINER_MP4: return readAll(tags, MP4::File(&stream));
    case AUDIO_CONTAINER_WAV: return readAll(tags, RIFF::WAV::File(&stream));
  }
  return false;
}

}  // namespace

void silenceTagLib() {
  static SilentListener listener;
  // Runs once, before the first file is read on any thread.
  static const bool isSilent = (setDebugListener(&listener), true);
  (void)isSilent;
}

audio_tags_outcome audio_tags_read(int descriptor, audio_container container, uint64_t budget,
                                   bool wants_pictures, audio_tags **result) {
  try {
    silenceTagLib();
    auto tags = std::make_unique<OwnedTags>(wants_pictures);
    DescriptorStream stream(descriptor, budget);
    const bool isRead = read(*tags, stream, container);
    if (stream.hasFailed()) return AUDIO_TAGS_FAILED;
    if (stream.isExhausted()) return AUDIO_TAGS_COSTLY;
    if (!isRead) return AUDIO_TAGS_INVALID;
    *result = tags.release();
    return AUDIO_TAGS_READ;
  } catch (...) {
    return AUDIO_TAGS_FAILED;
  }
}

void audio_tags_release(audio_tags *tags) { delete static_cast<OwnedTags *>(tags); }
