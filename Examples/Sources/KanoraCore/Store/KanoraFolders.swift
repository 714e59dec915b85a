public import Foundation

/// Where the library's own files are.
public enum KanoraFolders {
  /// The folder of the user's data: `$XDG_DATA_HOME/Kanora`, or `~/.local/share/Kanora`.
  ///
  /// An empty or relative value of the variable is ignored, as the XDG base directory specification asks. A user without home folder gets
  /// a folder below that of temporary files, with the user's number in its name.
  ///
  /// - Parameters:
  ///   - environment: The environment; that of the process by default.
  ///   - home: The user's home folder; the system's record of it by default.
  public static func data(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    home: URL = FileManager.default.homeDirectoryForCurrentUser
  ) -> URL {
    if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
      return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent("Kanora")
    }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: home.path, isDirectory: &isFolder)
    if exists, isFolder.boolValue, home.path != "/" {
      return home.appendingPathComponent(".local/share/Kanora")
    }
    return FileManager.default.temporaryDirectory.appendingPathComponent("Kanora-\(getuid())")
  }
}
