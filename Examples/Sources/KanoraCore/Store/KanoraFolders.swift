public import Foundation

/// The locations of the library's files.
public enum KanoraFolders {
  /// Returns the user's data folder: `$XDG_DATA_HOME/Kanora`, or `~/.local/share/Kanora`.
  ///
  /// An empty or relative value of the variable is ignored, as the XDG Base Directory Specification requires. The home folder is `$HOME`, or
  /// otherwise the one that the system has recorded. A user without a home folder gets a folder inside the temporary directory, with the
  /// user id in its name.
  ///
  /// - Parameters:
  ///   - environment: The environment; by default that of the process.
  ///   - home: The user's home folder if `HOME` is not an absolute path; by default as recorded by the system.
  public static func data(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: URL = FileManager.default.homeDirectoryForCurrentUser
  ) -> URL {
    if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
      return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent("Kanora")
    }
    let variable = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = variable.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? home
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: home.path, isDirectory: &isFolder)
    if exists, isFolder.boolValue, home.path != "/" {
      return home.appendingPathComponent(".local/share/Kanora")
    }
    return FileManager.default.temporaryDirectory.appendingPathComponent("Kanora-\(getuid())")
  }
}
