import CoreData
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

  @Test("an absolute value is used")
  func taken() {
    let folder = UserFolders.folder(
      "XDG_CACHE_HOME", fallback: ".cache", environment: ["XDG_CACHE_HOME": "/var/caches"])
    #expect(folder.path == "/var/caches")
  }

  @Test("default stores are in a folder with the program's name that only the user can access")
  func defaultStore() async {
    // In a separate process, because the environment belongs to the process.
    await #expect(processExitsWith: .success) { try UserFoldersTests.openDefaultStore() }
  }

  private static func openDefaultStore() throws {
    let data = FileManager.default.temporaryDirectory
      .appendingPathComponent("data-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: data) }
    setenv("XDG_DATA_HOME", data.path, 1)
    let entity = NSEntityDescription()
    entity.name = "Item"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let container = NSPersistentContainer(name: "Items", managedObjectModel: model)
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    let folder = data.appendingPathComponent(ProcessInfo.processInfo.processName).path
    let attributes = try FileManager.default.attributesOfItem(atPath: folder)
    let store = container.persistentStoreCoordinator.persistentStores.first
    guard NSPersistentContainer.defaultDirectoryURL().path == folder,
      store?.url?.path == folder + "/Items.sqlite",
      (attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700
    else { throw CocoaError(.coderInvalidValue) }
  }
}
