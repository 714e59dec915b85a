import AudioFiles
import Foundation

/// The folder into which a library copies files, as Artist/Album/file.
///
/// A value. Names come from tags, which may hold anything: none leads out of the folder.
struct ManagedFolder: Sendable {
  let root: URL

  /// Copies a file to its place; a file of the same name stays, and the copy gets a number.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - file: What it says.
  /// - Returns: The copy, and its stamp.
  /// - Throws: What copying throws; then no part of a copy is left.
  func copy(_ source: URL, _ file: AudioFile) throws -> FoundFile {
    let naming = AlbumNaming(file.tags)
    let folder = root.appendingPathComponent(Self.name(naming.artist))
      .appendingPathComponent(Self.name(naming.title))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Scans pass over hidden files, so that a copy that was never finished is no track.
    let partial = folder.appendingPathComponent(".kanora-\(UUID().uuidString)")
    defer { unlink(partial.path) }
    try FileManager.default.copyItem(at: source, to: partial)
    let copy = try AudioFile.read(partial)
    guard copy.fingerprint == file.fingerprint else {
      throw AudioFileError(
        .changing, path: source.path, "It was written to while it was copied. Import it again.")
    }
    let place = try move(partial, to: folder, fileName(source, file))
    return FoundFile(path: place.path, stamp: copy.stamp)
  }

  /// Gives a copy the first name that no file has.
  private func move(_ partial: URL, to folder: URL, _ name: (stem: String, ending: String)) throws
    -> URL
  {
    for number in 1...10_000 {
      let numbered = number == 1 ? name.stem : "\(name.stem) \(number)"
      let place = folder.appendingPathComponent("\(numbered).\(name.ending)")
      // A link is made only where there is no file, unlike a new name, which replaces one.
      if link(partial.path, place.path) == 0 { return place }
      if errno == EEXIST { continue }
      if FileManager.default.fileExists(atPath: place.path) { continue }
      try FileManager.default.moveItem(at: partial, to: place)
      return place
    }
    throw AudioFileError(
      .unreadable, path: folder.path, "It has too many files of the same name. Remove some.")
  }

  private func fileName(_ source: URL, _ file: AudioFile) -> (stem: String, ending: String) {
    let ending = source.pathExtension.lowercased()
    let isRight = file.format.extensions.contains(ending)
    return (
      Self.name(source.deletingPathExtension().lastPathComponent),
      isRight ? ending : file.format.extensions.first ?? file.format.rawValue
    )
  }

  /// A text as the name of a file or folder: without separators, control characters and a leading point, and of at most 120 bytes.
  static func name(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isForbidden =
        CharacterSet.controlCharacters.contains(scalar)
        || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
      scalars.append(isForbidden ? "_" : scalar)
    }
    var name = String(scalars).trimmingCharacters(in: .whitespaces)
    while name.utf8.count > 120 { name.removeLast() }
    while name.hasSuffix(".") || name.hasSuffix(" ") { name.removeLast() }
    if name.hasPrefix(".") { name = "_" + name.dropFirst() }
    return name.isEmpty ? "Unknown" : name
  }
}
