public import Foundation

/// The content and properties of an audio file.
///
/// Read with TagLib. The file's structure is checked first, so that a damaged file is an error instead of a track with the wrong duration.
///
/// A value.
public struct AudioFile: Sendable, Equatable {
  /// The size and modification time of the file when it was read.
  public let stamp: FileStamp
  /// The format, detected from the content.
  public let format: AudioFormat
  /// The codec's name, for example "AAC"; empty for an unknown codec in a known format.
  public let codec: String
  /// The duration in milliseconds.
  public let durationInMilliseconds: Int
  /// The average bit rate in 1,000 bits per second.
  public let bitrate: Int
  /// The number of samples per second, per channel.
  public let sampleRate: Int
  /// The number of channels.
  public let channels: Int
  /// The number of bits per sample; 0 for lossy codecs.
  public let bitsPerSample: Int
  /// The tags.
  public let tags: AudioTags
  /// The number of pictures in the file.
  public let pictureCount: Int
  /// The SHA-256 digest of the audio without tags, in hexadecimal digits; see `AudioPayload` for the bytes of each format.
  public let fingerprint: String

  /// The duration in seconds.
  public var duration: Double { Double(durationInMilliseconds) / 1_000 }

  /// Creates the value of a file that was read by other means.
  public init(
    stamp: FileStamp, format: AudioFormat, codec: String, durationInMilliseconds: Int, bitrate: Int,
    sampleRate: Int, channels: Int, bitsPerSample: Int = 0, tags: AudioTags, pictureCount: Int = 0,
    fingerprint: String
  ) {
    self.stamp = stamp
    self.format = format
    self.codec = codec
    self.durationInMilliseconds = durationInMilliseconds
    self.bitrate = bitrate
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitsPerSample = bitsPerSample
    self.tags = tags
    self.pictureCount = pictureCount
    self.fingerprint = fingerprint
  }

  /// Returns the same content for a file with another size or modification time, for example a copy.
  ///
  /// - Parameter stamp: The other file's state.
  /// - Returns: The value for the other file.
  public func stamped(_ stamp: FileStamp) -> AudioFile {
    AudioFile(
      stamp: stamp, format: format, codec: codec, durationInMilliseconds: durationInMilliseconds,
      bitrate: bitrate, sampleRate: sampleRate, channels: channels, bitsPerSample: bitsPerSample,
      tags: tags, pictureCount: pictureCount, fingerprint: fingerprint)
  }

  /// Reads a file: its tags, its properties and the digest of its audio.
  ///
  /// - Parameter url: The file; symbolic links are followed.
  /// - Returns: The content and properties of the file.
  /// - Throws: `AudioFileError`.
  /// > Concurrency: Any thread; blocks while the whole file is read.
  public static func read(_ url: URL) throws(AudioFileError) -> AudioFile {
    let file = try OpenedFile(url.path)
    let format = try format(of: file)
    let fingerprint = try AudioPayload.fingerprint(of: file, format)
    let reading = try TagReader.read(file, format, .fieldsOnly)
    let channels = try channels(of: file, format)
    let duration =
      try milliseconds(of: file, format, sampleRate: reading.sampleRate)
      ?? reading.durationInMilliseconds
    // Eight bits per byte; a thousand bits per second are one bit per millisecond.
    let bitrate = reading.bitrate > 0 ? reading.bitrate : 8 * file.size / max(1, duration)
    try file.requireUnchanged()
    return AudioFile(
      stamp: file.stamp, format: format, codec: reading.codec,
      durationInMilliseconds: duration, bitrate: bitrate,
      sampleRate: reading.sampleRate, channels: channels ?? reading.channels,
      bitsPerSample: reading.bitsPerSample, tags: reading.tags, pictureCount: reading.pictureCount,
      fingerprint: fingerprint)
  }

  /// Returns the pictures in a file, front cover first.
  ///
  /// - Parameter url: The file; symbolic links are followed.
  /// - Returns: The pictures of known types; other types, and links to pictures, are omitted.
  /// - Throws: `AudioFileError`.
  /// > Concurrency: Any thread; blocks while the tags are read.
  public static func pictures(in url: URL) throws(AudioFileError) -> [Picture] {
    let file = try OpenedFile(url.path)
    let format = try format(of: file)
    // The file may have a structure that TagLib must not read.
    try AudioPayload.check(file, format)
    return try TagReader.read(file, format, .fieldsAndPictures).pictures
  }

  /// Returns whether a file that is not named as audio has the signature of an audio file.
  ///
  /// - Parameter url: The file.
  /// - Returns: Whether the file has such a signature; `false` if the file cannot be read.
  public static func hasAudioSignature(_ url: URL) -> Bool {
    // A file that cannot be read and is not named as audio is ignored.
    guard let file = try? OpenedFile(url.path),
      let bytes = try? file.bytes(at: 0, count: AudioFormat.detectedBytes)
    else { return false }
    // Videos are also MPEG-4 files, but have other brands.
    if bytes.holds("ftyp", at: 4) { return bytes.holds("M4A", at: 8) || bytes.holds("M4B", at: 8) }
    return AudioFormat.detect(bytes) != nil || bytes.starts(with: "ID3".utf8)
  }

  /// Returns the duration given by the last page of an Ogg file, which TagLib misses in a few files.
  ///
  /// - Returns: The duration, or nil if TagLib determines it.
  private static func milliseconds(
    of file: OpenedFile, _ format: AudioFormat, sampleRate: Int
  ) throws(AudioFileError) -> Int? {
    switch format {
    case .ogg:
      guard sampleRate > 0 else {
        throw .damaged(file.path, "The file does not specify a sample rate.")
      }
      return try OggPayload.parts(of: file, headerPackets: 3).samples * 1_000 / sampleRate
    case .opus:
      let skipped = try OggPayload.skippedSamples(in: file)
      let samples = try OggPayload.parts(of: file, headerPackets: 2).samples
      return max(0, samples - skipped) * 1_000 / 48_000
    default: return nil
    }
  }

  /// - Returns: The number of channels, or nil if TagLib determines it.
  private static func channels(
    of file: OpenedFile, _ format: AudioFormat
  ) throws(AudioFileError) -> Int? {
    guard format == .m4a, let aac = try MP4Payload.parts(of: file).aac else { return nil }
    return try AACConfiguration.channels(file, aac)
  }

  /// - Throws: `AudioFileError` with code `.empty`, `.unsupported` or `.damaged`.
  private static func format(of file: OpenedFile) throws(AudioFileError) -> AudioFormat {
    guard file.size > 0 else {
      throw AudioFileError(
        .empty, path: file.path, "The file is empty. Replace it with an intact copy.")
    }
    let bytes = try file.bytes(at: 0, count: AudioFormat.detectedBytes)
    if let format = AudioFormat.detect(bytes) { return format }
    let start = try ID3Blocks.end(in: file)
    if try file.bytes(at: start, count: 4).holds("fLaC", at: 0) { return .flac }
    if try MPEGPayload.firstFrame(in: file, from: start) != nil { return .mp3 }
    if start > 0 { throw .damaged(file.path, "The file has tags but no audio.") }
    throw AudioFileError(
      .unsupported, path: file.path,
      "The file is not in MP3, FLAC, Ogg Vorbis, Opus, MPEG-4 audio or WAV format. Convert it to one of these formats."
    )
  }
}
