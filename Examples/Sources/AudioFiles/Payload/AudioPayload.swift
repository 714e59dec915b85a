/// The audio of a file without its tags.
///
/// The following bytes are hashed, so that a fingerprint does not change with new tags and pictures, another name or another location:
///
/// | Format | Bytes |
/// |---|---|
/// | mp3 | everything between the ID3v2 tags at the start and the ID3v1, APE and Lyrics3 tags at the end |
/// | flac | the frames after the last metadata block |
/// | ogg, opus | the contents of the pages after the header packets, but not the page headers, which new tags renumber |
/// | m4a | the contents of the `mdat` boxes |
/// | wav | the contents of the `data` chunk |
///
/// Stateless.
enum AudioPayload {
  /// Returns the digest of the audio.
  ///
  /// - Throws: `AudioFileError` with code `.damaged` if the file ends before its audio does, or has no audio.
  static func fingerprint(
    of file: OpenedFile, _ format: AudioFormat
  ) throws(AudioFileError) -> String {
    var digest = AudioDigest()
    for range in try ranges(in: file, format) { try digest.add(range, of: file) }
    return digest.finish()
  }

  /// Throws if a file is incomplete, or has a structure that TagLib must not read.
  static func check(_ file: OpenedFile, _ format: AudioFormat) throws(AudioFileError) {
    _ = try ranges(in: file, format)
  }

  private static func ranges(
    in file: OpenedFile, _ format: AudioFormat
  ) throws(AudioFileError) -> [Range<Int>] {
    let ranges: [Range<Int>] =
      switch format {
      case .mp3: [try MPEGPayload.range(in: file)]
      case .flac: [try FLACPayload.range(in: file)]
      case .ogg: try OggPayload.parts(of: file, headerPackets: 3).ranges
      case .opus: try OggPayload.parts(of: file, headerPackets: 2).ranges
      case .m4a: try MP4Payload.parts(of: file).media
      case .wav: [try WAVPayload.range(in: file)]
      }
    // All files without audio would have the same fingerprint.
    guard ranges.contains(where: { !$0.isEmpty }) else {
      throw .damaged(file.path, "The file has no audio.")
    }
    return ranges
  }
}
