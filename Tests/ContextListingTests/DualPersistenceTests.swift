import CoreData
import Foundation
import SwiftData
import XCTest

/// SwiftData models alongside Core Data, behind one protocol.
final class DualPersistenceTests: XCTestCase {
  private var folder: URL!

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  @MainActor
  func testBothLayersSaveBesideEachOther() async throws {
    let managed = CoreDataLayer(dataStore: DataStore(storeDirectoryURL: folder))
    let models = SwiftDataLayer(
      container: try ModelContainer(
        for: Setting.self,
        configurations: ModelConfiguration(url: folder.appendingPathComponent("Settings.store"))))
    try await LayerClient(layer: managed).change { Thread.insert(into: $0).threadID = "1" }
    try await LayerClient(layer: models).change { $0.insert(Setting(key: "theme", value: "dark")) }
    XCTAssertFalse(managed.mainContext().hasChanges)
    XCTAssertFalse(models.mainContext().hasChanges)

    let background = models.backgroundContext()
    let found = try background.fetch(FetchDescriptor<Setting>())
    XCTAssertEqual(found.map(\.value), ["dark"])
    found.first?.value = "light"
    try await models.save(background)
    let settings = try models.mainContext().fetch(FetchDescriptor<Setting>())
    XCTAssertEqual(settings.map(\.value), ["light"])
    XCTAssertEqual(Thread.fetch(in: managed.mainContext()).map(\.threadID), ["1"])
  }
}
