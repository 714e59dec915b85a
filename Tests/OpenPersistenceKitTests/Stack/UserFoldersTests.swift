import Foundation
import OpenObjectGraph
import Testing

@Suite("The user's folders")
struct UserFoldersTests {
  private static let home = FileManager.default.homeDirectoryForCurrentUser.path

  @Test(
    "a missing, empty or relative value is ignored",
    arguments: [nil, "", ".", "data", "./data", "~/data", " /data"])
  func ignored(_ value: String?) {
    let environment = value.map { ["XDG_DATA_HOME": $0] } ?? [:]
    let folder = UserFolders.folder(
      "XDG_DATA_HOME", fallback: ".local/share", environment: environment)
    #expect(folder.path == Self.home + "/.local/share")
  }

  @Test("an absolute value is taken")
  func taken() {
    let folder = UserFolders.folder(
      "XDG_CACHE_HOME", fallback: ".cache", environment: ["XDG_CACHE_HOME": "/var/caches"])
    #expect(folder.path == "/var/caches")
  }
}
