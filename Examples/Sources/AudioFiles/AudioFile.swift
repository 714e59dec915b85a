public import Foundation

/// What an audio file says about itself.
///
/// Read with TagLib, whose view of the audio is compared with the file's structure first, so that a damaged file is an
/// error instead of a track of wrong length.
///
/// A value.
public struct AudioFile: Sendable, Equatable {
  /// The size and the time of the last change when it was read.
  public let stamp: FileStamp
  /// The format, by the content.
  public let format: AudioFormat
  /// The codec's name, for example "AAC"; empty for an unknown one in a known format.
  public let codec: String
  /// The length in milliseconds.
  public let durationInMilliseconds: Int
  /// The average bitrate in 1,000 bits a second.
  public let bitrate: Int
  /// Samples a second of each channel.
  public let sampleRate: Int
  /// The number of channels.
  public let channels: Int
  /// Bits of each sample; 0 for codecs that lose some.
  public let bitsPerSample: Int
  /// What the tags say.
  public let tags: AudioTags
  /// The number of pictures within the file.
  public let pictureCount: Int
  /// The SHA-256 digest of the audio without tags, in hexadecimal digits; see `AudioPayload` for the bytes of each format.
  public let fingerprint: String

  /// The length in seconds.
  public var duration: Double { Double(durationInMilliseconds) / 1_000 }

  /// Makes the value of a file that was read in another way.
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

  /// The same content in a file of another size or time, for example a copy.
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
  /// - Parameter url: The file; a link is followed.
  /// - Returns: What the file says.
  /// - Throws: `AudioFileError`.
  /// > Concurrency: Any thread; blocks while the file is read whole.
  public static func read(_ url: URL) throws(AudioFileError) -> AudioFile {
    let file = try OpenedFile(url.path)
    let format = try format(of: file)
    let fingerprint = try AudioPayload.fingerprint(of: file, format)
    let reading = try TagReader.read(file, format, .fieldsOnly)
    let channels = try channels(of: file, format)
    let duration =
      try milliseconds(of: file, format, sampleRate: reading.sampleRate)
      ?? reading.durationInMilliseconds
    // Eight bits a byte; a thousand bits a second are one bit a millisecond.
    let bitrate = reading.bitrate > 0 ? reading.bitrate : 8 * file.size / max(1, duration)
    try file.requireUnchanged()
    return AudioFile(
      stamp: file.stamp, format: format, codec: reading.codec,
      durationInMilliseconds: duration, bitrate: bitrate,
      sampleRate: reading.sampleRate, channels: channels ?? reading.channels,
      bitsPerSample: reading.bitsPerSample, tags: reading.tags, pictureCount: reading.pictureCount,
      fingerprint: fingerprint)
  }

  /// The pictures within a file, the front cover first.
  ///
  /// - Parameter url: The file; a link is followed.
  /// - Returns: Pictures of known types; others, and links to pictures, are left out.
  /// - Throws: `AudioFileError`.
  /// > Concurrency: Any thread; blocks while the tags are read.
  public static func pictures(in url: URL) throws(AudioFileError) -> [Picture] {
    let file = try OpenedFile(url.path)
    let format = try format(of: file)
    // Its structure may be one that TagLib must not read.
    try AudioPayload.check(file, format)
    return try TagReader.read(file, format, .fieldsAndPictures).pictures
  }

  /// Whether a file that is not named as audio has a signature that no other kind of file has.
  ///
  /// - Parameter url: The file.
  /// - Returns: False as well for a file that cannot be read.
  public static func hasAudioSignature(_ url: URL) -> Bool {
    // A file that cannot be read and does not have the name of an audio file is left out.
    guard let file = try? OpenedFile(url.path),
      let bytes = try? file.bytes(at: 0, count: AudioFormat.detectedBytes)
    else { return false }
    // Videos are MPEG-4 files as well, and have other brands.
    if bytes.holds("ftyp", at: 4) { return bytes.holds("M4A", at: 8) || bytes.holds("M4B", at: 8) }
    return AudioFormat.detect(bytes) != nil || bytes.starts(with: "ID3".utf8)
  }

  /// The length by the last page of an Ogg file, which TagLib misses in a few files.
  ///
  /// - Returns: Nil where TagLib knows it.
  private static func milliseconds(
    of file: OpenedFile, _ format: AudioFormat, sampleRate: Int
  ) throws(AudioFileError) -> Int? {
    switch format {
    case .ogg:
      return try OggPayload.parts(of: file, headerPackets: 3).samples * 1_000 / sampleRate
    case .opus:
      let skipped = try OggPayload.skippedSamples(in: file)
      let samples = try OggPayload.parts(of: file, headerPackets: 2).samples
      return max(0, samples - skipped) * 1_000 / 48_000
    default: return nil
    }
  }

  /// - Returns: Nil where TagLib knows it.
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
        .empty, path: file.path, "The file has no bytes. Replace it by a whole one.")
    }
    let bytes = try file.bytes(at: 0, count: AudioFormat.detectedBytes)
    if let format = AudioFormat.detect(bytes) { return format }
    let start = try ID3Blocks.end(in: file)
    if try file.bytes(at: start, count: 4).holds("fLaC", at: 0) { return .flac }
    if try MPEGPayload.firstFrame(in: file, from: start) != nil { return .mp3 }
    if start > 0 { throw .damaged(file.path, "The file has tags but no audio.") }
    throw AudioFileError(
      .unsupported, path: file.path,
      "The content is none of MP3, FLAC, Ogg Vorbis, Opus, MPEG-4 audio and WAV. Convert it to one of these."
    )
  }
}
