import CAudioTags

/// Reads tags with TagLib, and copies the results into values.
///
/// Stateless.
enum TagReader {
  /// The tags and properties of a file.
  struct Reading {
    let codec: String
    let durationInMilliseconds: Int
    let bitrate: Int
    let sampleRate: Int
    let channels: Int
    let bitsPerSample: Int
    let tags: AudioTags
    let pictures: [Picture]
    let pictureCount: Int
  }

  /// The parts of the tags to copy.
  enum Extent { case fieldsOnly, fieldsAndPictures }

  /// The limit on bytes read. Tags with large pictures are read in parts, some of them twice.
  private static let budgetInBytes: UInt64 = 256 << 20

  /// Reads a file whose structure `AudioPayload` has accepted.
  static func read(
    _ file: OpenedFile, _ format: AudioFormat, _ extent: Extent
  ) throws(AudioFileError) -> Reading {
    var tags: UnsafeMutablePointer<audio_tags>?
    defer { audio_tags_release(tags) }
    let outcome = audio_tags_read(
      file.descriptor, container(of: format), budgetInBytes, extent == .fieldsAndPictures, &tags)
    switch outcome {
    case AUDIO_TAGS_READ: break
    case AUDIO_TAGS_INVALID:
      throw .damaged(file.path, "The file contains no valid audio in the detected format.")
    case AUDIO_TAGS_COSTLY:
      throw AudioFileError(
        .tooLarge, path: file.path,
        "Reading the tags would require more than \(budgetInBytes >> 20) megabytes. Remove pictures from the tags."
      )
    default:
      throw AudioFileError(.unreadable, path: file.path, "The tags of the file could not be read.")
    }
    guard let tags = tags?.pointee else {
      throw AudioFileError(.unreadable, path: file.path, "The tags of the file could not be read.")
    }
    return reading(tags)
  }

  static func container(of format: AudioFormat) -> audio_container {
    switch format {
    case .mp3: AUDIO_CONTAINER_MPEG
    case .flac: AUDIO_CONTAINER_FLAC
    case .ogg: AUDIO_CONTAINER_VORBIS
    case .opus: AUDIO_CONTAINER_OPUS
    case .m4a: AUDIO_CONTAINER_MP4
    case .wav: AUDIO_CONTAINER_WAV
    }
  }

  private static func reading(_ tags: audio_tags) -> Reading {
    let fields = UnsafeBufferPointer(start: tags.fields, count: tags.field_count)
      .map { (string($0.name), string($0.value)) }
    let pictures = UnsafeBufferPointer(
      start: tags.pictures, count: tags.pictures == nil ? 0 : tags.picture_count
    ).compactMap(picture)
    return Reading(
      codec: string(tags.codec), durationInMilliseconds: Int(tags.duration_in_milliseconds),
      bitrate: Int(tags.bitrate_in_kilobits), sampleRate: Int(tags.sample_rate),
      channels: Int(tags.channels), bitsPerSample: Int(tags.bits_per_sample),
      tags: AudioTags(fields), pictures: Picture.coverFirst(pictures),
      pictureCount: tags.picture_count)
  }

  private static func string(_ text: audio_text) -> String {
    UnsafeRawBufferPointer(start: text.bytes, count: text.count).withMemoryRebound(to: UInt8.self) {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func picture(_ picture: audio_picture) -> Picture? {
    Picture(
      Array(UnsafeBufferPointer(start: picture.bytes, count: picture.count)),
      kind: Int(picture.kind))
  }
}
