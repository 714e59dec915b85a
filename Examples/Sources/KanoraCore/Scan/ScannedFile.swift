import AudioFiles

/// A file that a scan has tried to read.
///
/// A value.
struct ScannedFile: Sendable {
  /// Where its track has it: the file's path, or that of its copy.
  let path: String
  /// What it says, or why it cannot be read.
  let content: Result<AudioFile, AudioFileError>
}
