#include "CAudioTags.h"

#include <string>

#include <flacfile.h>
#include <id3v2framefactory.h>
#include <id3v2header.h>
#include <id3v2tag.h>
#include <mp4file.h>
#include <mpegfile.h>
#include <opusfile.h>
#include <tfilestream.h>
#include <tpropertymap.h>
#include <vorbisfile.h>
#include <wavfile.h>

#include "Silence.h"

using namespace TagLib;

namespace {

// TagLib's own default would add an ID3v1 tag, and would change the version of an ID3v2 tag.
bool save(MPEG::File &file) {
  int kinds = MPEG::File::ID3v2;
  if (file.hasID3v1Tag()) kinds |= MPEG::File::ID3v1;
  if (file.hasAPETag()) kinds |= MPEG::File::APE;
  const bool isOld = file.hasID3v2Tag() && file.ID3v2Tag()->header()->majorVersion() < 4;
  return file.save(kinds, TagLib::File::StripNone, isOld ? ID3v2::v3 : ID3v2::v4,
                   TagLib::File::DoNotDuplicate);
}

template <typename AudioFile> bool save(AudioFile &file) { return file.save(); }

String string(const audio_text &text) {
  return String(std::string(text.bytes, text.count), String::UTF8);
}

template <typename AudioFile>
bool writeAll(AudioFile &&file, const audio_field *fields, size_t count) {
  if (!file.isValid()) return false;
  PropertyMap map = file.properties();
  for (size_t i = 0; i < count; i++) map.erase(string(fields[i].name));
  for (size_t i = 0; i < count; i++)
    if (fields[i].value.bytes)
      map.insert(string(fields[i].name), StringList(string(fields[i].value)));
  file.setProperties(map);
  return save(file);
}

bool write(FileStream &stream, audio_container container, const audio_field *fields,
           size_t count) {
  auto *frames = ID3v2::FrameFactory::instance();
  switch (container) {
    case AUDIO_CONTAINER_MPEG: return writeAll(MPEG::File(&stream, frames), fields, count);
    case AUDIO_CONTAINER_FLAC: return writeAll(FLAC::File(&stream, frames), fields, count);
    case AUDIO_CONTAINER_VORBIS: return writeAll(Ogg::Vorbis::File(&stream), fields, count);
    case AUDIO_CONTAINER_OPUS: return writeAll(Ogg::Opus::File(&stream), fields, count);
    case AUDIO_CONTAINER_MP4: return writeAll(MP4::File(&stream), fields, count);
    case AUDIO_CONTAINER_WAV: return writeAll(RIFF::WAV::File(&stream), fields, count);
  }
  return false;
}

}  // namespace

bool audio_tags_write(const char *path, audio_container container, const audio_field *fields,
                      size_t count) {
  try {
    silenceTagLib();
    FileStream stream(path);
    return stream.isOpen() && !stream.readOnly() && write(stream, container, fields, count);
  } catch (...) {
    return false;
  }
}
