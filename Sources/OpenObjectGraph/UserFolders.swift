package import Foundation

/// The folders for a user's files according to the XDG Base Directory Specification.
package enum UserFolders {
  /// The folder for persistent data: `$XDG_DATA_HOME` or `~/.local/share`.
  package static var data: URL { folder("XDG_DATA_HOME", fallback: ".local/share") }

  /// The folder for data that can be recreated: `$XDG_CACHE_HOME` or `~/.cache`.
  package static var cache: URL { folder("XDG_CACHE_HOME", fallback: ".cache") }

  /// Returns the folder that an environment variable names.
  ///
  /// As the specification requires, the method ignores empty and relative paths.
  ///
  /// - Parameters:
  ///   - variable: The name of the variable.
  ///   - fallback: The folder to return if the variable contains no absolute path, as a path
  ///     relative to the user's home folder.
  ///   - environment: The environment; by default, the environment of the process.
  /// - Returns: The URL of the folder, which may not exist.
  package static func folder(
    _ variable: String, fallback: String,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    if let path = environment[variable], path.hasPrefix("/") {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(fallback)
  }

  /// Creates a folder with access for its owner only, and any missing parent folders.
  ///
  /// An existing folder is not changed.
  ///
  /// - Parameter folder: The URL of the folder.
  /// - Throws: The error of the file manager if the folder cannot be created.
  package static func make(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }
}
