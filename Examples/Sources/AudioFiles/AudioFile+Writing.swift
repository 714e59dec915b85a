public import Foundation

extension AudioFile {
  /// Changes fields of a file's tags. The audio, the pictures and all other fields stay the same.
  ///
  /// A hidden copy in the same folder gets the new tags. It replaces the file only after it was read again and compared with the file.
  /// The file therefore has either the old tags or the new ones, even if the program is killed.
  ///
  /// - Parameters:
  ///   - url: The file; symbolic links are followed.
  ///   - change: Receives the tags, and returns the new values of the fields to change, by the names of `AudioTags`. An empty array
  ///     removes a field. If the dictionary is empty, the file stays unchanged.
  /// - Throws: `AudioFileError`, with code `.unwritable` if the tags cannot be written, or `.changing` if another program changes the
  ///   file at the same time; any error that `change` throws. The file is then unchanged.
  /// > Concurrency: Any thread; blocks while the whole file is read and copied.
  public static func rewriteTags(
    of url: URL, _ change: (AudioTags) throws -> [String: [String]]
  ) throws {
    let target = url.resolvingSymlinksInPath()
    let file = try read(target)
    let fields = try change(file.tags)
    if fields.isEmpty { return }
    let copy = try makeCopy(of: target)
    defer { copy.discard() }
    try file.requireState(of: target)
    guard TagWriter.write(fields, to: copy.url.path, file.format) else {
      throw AudioFileError(
        .unwritable, path: target.path, "The tags of this file cannot be changed.")
    }
    guard try read(copy.url).isSame(as: file, except: fields) else {
      throw AudioFileError(
        .unwritable, path: target.path,
        "The format of this file cannot store the new tags, or the copy of the file is damaged.")
    }
    try synchronize(copy.url.path, for: target)
    try file.requireState(of: target)
    guard rename(copy.url.path, target.path) == 0 else {
      throw AudioFileError.unwritable(system: errno, path: target.path)
    }
    // The file has the new tags. Some file systems cannot flush folders; a power failure can then restore the old tags.
    try? synchronize(target.deletingLastPathComponent().path, for: target)
  }

  private static func makeCopy(of file: URL) throws(AudioFileError) -> HiddenCopy {
    do {
      return try HiddenCopy(of: file, in: file.deletingLastPathComponent())
    } catch {
      throw AudioFileError(
        .unwritable, path: file.path,
        "The file could not be copied in its folder: \(error.localizedDescription)")
    }
  }

  /// Throws if another program has changed the file since it was read.
  private func requireState(of file: URL) throws(AudioFileError) {
    guard try FileStamp(of: file) == stamp else {
      throw AudioFileError(
        .changing, path: file.path,
        "The file changed while its tags were being written. Try again later.")
    }
  }

  /// Waits until a file or folder is on the disk.
  private static func synchronize(_ path: String, for file: URL) throws(AudioFileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unwritable(system: errno, path: file.path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .unwritable(system: errno, path: file.path) }
  }

  /// Returns whether a file has the audio, the pictures and the fields of another one, except for new values of some fields.
  private func isSame(as other: AudioFile, except fields: [String: [String]]) -> Bool {
    let changed = AudioTags(
      fields.flatMap { name, values in values.map { (name: name, value: $0) } })
    let names = Set(fields.keys.map { $0.uppercased() })
    return fingerprint == other.fingerprint
      && durationInMilliseconds == other.durationInMilliseconds
      && pictureCount == other.pictureCount
      && names.union(tags.names).union(other.tags.names).allSatisfy { name in
        tags[name] == (names.contains(name) ? changed : other.tags)[name]
      }
  }
}
