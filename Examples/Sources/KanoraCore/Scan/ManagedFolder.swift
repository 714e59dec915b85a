import AudioFiles
import Foundation

/// The folder that a library copies files into, as Artist/Album/file.
///
/// A value. Names come from tags, which may contain any text; no name leads out of the folder.
struct ManagedFolder: Sendable {
  let root: URL

  /// Copies a file into the folder. If a file of the same name exists, it is kept, and the copy's name gets a number.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - file: The content of the file.
  /// - Returns: The copy and its stamp.
  /// - Throws: Any error that copying throws; no partial copy is then left.
  func copy(_ source: URL, _ file: AudioFile) throws -> FoundFile {
    let naming = AlbumNaming(file.tags)
    let folder = root.appendingPathComponent(Self.name(naming.artist))
      .appendingPathComponent(Self.name(naming.title))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let partial = try HiddenCopy(of: source, in: folder)
    defer { partial.discard() }
    let copy = try AudioFile.read(partial.url)
    guard copy.fingerprint == file.fingerprint else {
      throw AudioFileError(
        .changing, path: source.path,
        "The file changed while it was being copied. Import the file again.")
    }
    let place = try move(partial.url, to: folder, fileName(source, file))
    return FoundFile(path: place.path, stamp: copy.stamp)
  }

  /// Renames a copy to the first name that is not in use.
  private func move(_ partial: URL, to folder: URL, _ name: (stem: String, ending: String)) throws
    -> URL
  {
    for number in 1...10_000 {
      let numbered = number == 1 ? name.stem : "\(name.stem) \(number)"
      let place = folder.appendingPathComponent("\(numbered).\(name.ending)")
      // A hard link fails if the file exists, whereas a rename replaces it.
      if link(partial.path, place.path) == 0 { return place }
      if errno == EEXIST { continue }
      if FileManager.default.fileExists(atPath: place.path) { continue }
      try FileManager.default.moveItem(at: partial, to: place)
      return place
    }
    throw AudioFileError(
      .unreadable, path: folder.path,
      "The destination folder contains too many files with the same name. Remove some of them.")
  }

  private func fileName(_ source: URL, _ file: AudioFile) -> (stem: String, ending: String) {
    let ending = source.pathExtension.lowercased()
    let isRight = file.format.extensions.contains(ending)
    return (
      Self.name(source.deletingPathExtension().lastPathComponent),
      isRight ? ending : file.format.extensions.first ?? file.format.rawValue
    )
  }

  /// Returns a text as a file or folder name: without separators, control characters and a leading dot, and at most 120 bytes long.
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
