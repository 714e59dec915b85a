package import Foundation

/// The folders in which a user's programs keep their files, by the XDG base directory specification.
package enum UserFolders {
  /// The folder for data that must be kept: `$XDG_DATA_HOME` or `~/.local/share`.
  package static var data: URL { folder("XDG_DATA_HOME", fallback: ".local/share") }

  /// The folder for data that can be made again: `$XDG_CACHE_HOME` or `~/.cache`.
  package static var cache: URL { folder("XDG_CACHE_HOME", fallback: ".cache") }

  /// The folder that a variable of the environment names.
  ///
  /// The specification asks programs to ignore values that are empty or relative: they would put files into the
  /// working directory.
  ///
  /// - Parameters:
  ///   - variable: The variable's name.
  ///   - fallback: The folder below the user's home where the variable names none.
  ///   - environment: The environment; that of the process by default.
  package static func folder(
    _ variable: String, fallback: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    if let path = environment[variable], path.hasPrefix("/") {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(fallback)
  }

  /// Creates a folder that only its owner can use, and the folders above it; a folder that exists stays as it is.
  ///
  /// - Parameter folder: The folder.
  /// - Throws: What the file manager throws.
  package static func make(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
