import AudioFiles

/// A file that a scan has tried to read.
///
/// A value.
struct ScannedFile: Sendable {
  /// The path for the track: that of the file, or that of its copy.
  let path: String
  /// The content of the file, or the reason why it cannot be read.
  let content: Result<AudioFile, AudioFileError>
}
