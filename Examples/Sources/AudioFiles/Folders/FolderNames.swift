import Foundation

/// The names in a folder, except hidden names.
///
/// A value.
struct FolderNames {
  private(set) var names: [String] = []
  /// The names of hidden copies.
  private(set) var hiddenCopies: [String] = []
  /// Names that cannot be used.
  private(set) var troubles: [AudioFileError] = []

  /// Reads the names of a folder's entries.
  static func read(_ path: String) throws(AudioFileError) -> FolderNames {
    guard let stream = opendir(path) else {
      if errno == ENOTDIR, access(path, F_OK) == 0 {
        throw AudioFileError(.notAFolder, path: path, "The path is not a folder.")
      }
      if errno == ENOENT {
        throw AudioFileError(.missing, path: path, "The folder does not exist.")
      }
      throw AudioFileError(system: errno, path: path)
    }
    defer { closedir(stream) }
    var contents = FolderNames()
    errno = 0
    while let entry = readdir(stream) {
      contents.add(entry, in: path)
      errno = 0
    }
    // At the end of the entries, `readdir` leaves `errno` unchanged.
    if errno != 0 { throw AudioFileError(system: errno, path: path) }
    return contents
  }

  private mutating func add(_ entry: UnsafeMutablePointer<dirent>, in path: String) {
    withUnsafePointer(to: &entry.pointee.d_name) { name in
      name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout<dirent>.size) { characters in
        let name = String(validatingCString: characters)
        if characters[0] == 0x2E {
          if let name, HiddenCopy.isName(name) { hiddenCopies.append(name) }
        } else if let name {
          names.append(name)
        } else {
          troubles.append(
            AudioFileError(
              .unreadableName, path: "\(path)/\(String(cString: characters))",
              "The name is not valid UTF-8. Rename the file or folder."))
        }
      }
    }
  }
}
