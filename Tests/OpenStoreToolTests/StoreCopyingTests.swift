import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenStoreTool
import Testing

@Suite("Copies of stores")
struct StoreCopyingTests {
  private let tracked: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]

  /// Runs work with a context on a store, and closes the store.
  private func withStore<Result>(
    _ url: URL, options: [AnyHashable: Any] = [:],
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Sample.makeModel())
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let result = try context.performAndWait { try body(context) }
    try coordinator.remove(store)
    return result
  }

  /// Copies the sample, and returns the URL of the copy.
  private func copy(_ sample: Sample) throws -> URL {
    let place = sample.folder.appendingPathComponent("copy.sqlite")
    let results = try StoreCopying(from: sample.file.path, to: place.path, modelPath: nil) { _ in }
      .run()
    #expect(results.allSatisfy { $0.differences == 0 })
    return place
  }

  @Test("a new object of a copy does not get the URI of an object that was deleted before")
  func deletedKeys() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let deleted = try withStore(sample.file) { context in
      let item = try Sample.insert("Item", into: context)
      try context.save()
      let uri = item.objectID.uriRepresentation()
      context.delete(item)
      try context.save()
      return uri
    }
    let inserted = try withStore(copy(sample)) { context in
      let item = try Sample.insert("Item", into: context)
      try context.save()
      return item.objectID.uriRepresentation()
    }
    #expect(inserted.deletingLastPathComponent() == deleted.deletingLastPathComponent())
    #expect(inserted != deleted)
  }

  @Test("the model in a copy keeps the class names of the entities")
  func classNames() throws {
    let sample = try Sample()
    let model = Sample.makeModel()
    model.entitiesByName["Item"]?.managedObjectClassName = "NobodysItem"
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: sample.file, options: nil)
    try coordinator.remove(store)
    let copied = try InspectedStore.model(at: copy(sample).path)
    #expect(copied.entitiesByName["Item"]?.managedObjectClassName == "NobodysItem")
    #expect(copied.entitiesByName["Owner"]?.managedObjectClassName == "NSManagedObject")
  }

  @Test("a copy that is cancelled is deleted, and the place can be used again")
  func cancellation() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let place = sample.folder.appendingPathComponent("copy.sqlite")
    var isCancelled = false
    let copying = try StoreCopying(
      from: sample.file.path, to: place.path, modelPath: nil, isCancelled: { isCancelled }
    ) { _ in isCancelled = true }
    let error = #expect(throws: ToolError.self) { try copying.run() }
    #expect(error?.status == .unreadable && error?.message.contains("interrupted") == true)
    let files = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path)
    #expect(!files.contains { $0.contains(place.lastPathComponent) }, "\(files)")
    _ = try copy(sample)
  }

  @Test("tokens of the source expire in a copy, which has none of the source's consumers")
  func history() throws {
    let sample = try Sample()
    let token = try withStore(sample.file, options: tracked) { context in
      _ = try Sample.insert("Item", into: context)
      try context.save()
      let coordinator = try #require(context.persistentStoreCoordinator)
      let token = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
      try coordinator.setHistoryToken(token, forConsumer: "widget")
      return token
    }
    try withStore(copy(sample), options: tracked) { context in
      let coordinator = try #require(context.persistentStoreCoordinator)
      #expect(try coordinator.historyToken(forConsumer: "widget") == nil)
      for _ in 0..<3 {
        let error = #expect(throws: CocoaError.self) {
          try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        }
        #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
        _ = try Sample.insert("Item", into: context)
        try context.save()
      }
    }
  }
}
