import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Testing

/// The round trips of saves and reads, which a proxy counts, and statements that arrive late.
@Suite("Round trips of a PostgreSQL store", .enabled(if: TestServer.isPresent), .serialized)
struct RoundTripTests {
  /// Folders with notes, in no order.
  // Invariant: the model is not changed once it is made.
  private nonisolated(unsafe) static let model: NSManagedObjectModel = {
    let (folder, note) = (NSEntityDescription(), NSEntityDescription())
    (folder.name, note.name) = ("Folder", "Note")
    let (notes, parent) = (NSRelationshipDescription(), NSRelationshipDescription())
    notes.name = "notes"
    notes.destinationEntity = note
    parent.name = "folder"
    parent.destinationEntity = folder
    parent.maxCount = 1
    (notes.inverseRelationship, parent.inverseRelationship) = (parent, notes)
    let text = NSAttributeDescription()
    text.name = "text"
    text.attributeType = .stringAttributeType
    folder.properties = [notes]
    note.properties = [text, parent]
    let model = NSManagedObjectModel()
    model.entities = [folder, note]
    return model
  }()

  private let proxy: CuttingProxy
  private let server: TestServer
  private let schema = "round_\(UUID().uuidString.prefix(8))".lowercased()

  init() throws {
    server = try TestServer.shared.get()
    proxy = try CuttingProxy(server: server.socketFolder)
  }

  /// A context on a stack whose connections go through the proxy, or directly to the server.
  private func context(isDirect: Bool = false) throws -> NSManagedObjectContext {
    PostgresStore.register()
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: Self.model)
    let url = try server.url(schema: schema, host: isDirect ? nil : proxy.folder)
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container.newBackgroundContext()
  }

  private func makeNote(_ text: String, in context: NSManagedObjectContext) -> NSManagedObject {
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    note.setValue(text, forKey: "text")
    return note
  }

  @Test("a save, a fetch, and a batch of faults take one round trip each")
  func counts() throws {
    defer { proxy.close() }
    let context = try context()
    try context.performAndWait {
      // The first save also reserves keys.
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      let note = makeNote("first", in: context)
      try context.save()

      let second = makeNote("second", in: context)
      second.setValue(folder, forKey: "folder")
      #expect(try proxy.roundTrips { try context.save() } == 1, "insertion with a reference")
      note.setValue("changed", forKey: "text")
      second.setValue("changed, too", forKey: "text")
      #expect(try proxy.roundTrips { try context.save() } == 1, "update")
      context.delete(note)
      #expect(try proxy.roundTrips { try context.save() } == 1, "deletion")

      for number in 0..<998 { _ = makeNote("\(number)", in: context) }
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.includesPropertyValues = false
      var notes: [NSManagedObject] = []
      #expect(try proxy.roundTrips { notes = try context.fetch(request) } == 1, "fetch")
      let trips = proxy.roundTrips {
        #expect(Set(notes.compactMap { $0.value(forKey: "text") as? String }).count == 999)
      }
      #expect(trips == 1, "faults")
    }
  }

  @Test("a conflict contains the stored values, which a refresh reads")
  func conflicts() throws {
    defer { proxy.close() }
    let (one, other) = (try context(), try context(isDirect: true))
    try one.performAndWait {
      let note = makeNote("first", in: one)
      try one.save()
      try other.performAndWait {
        try other.existingObject(with: note.objectID).setValue("theirs", forKey: "text")
        try other.save()
      }
      note.setValue("mine", forKey: "text")
      let error = #expect(throws: CocoaError.self) { try one.save() }
      #expect(error?.code.rawValue == NSManagedObjectMergeError)
      let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
      #expect(conflicts?.first?.persistedSnapshot?["text"] as? String == "theirs")
      one.refresh(note, mergeChanges: false)
      #expect(note.value(forKey: "text") as? String == "theirs")
    }
  }

  @Test(
    "a destination that another process deletes before the save is a conflict, and nothing is written"
  )
  func deletedDestination() throws {
    defer { proxy.close() }
    let (one, other) = (try context(), try context(isDirect: true))
    let id = try one.performAndWait {
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: one)
      try one.save()
      return folder.objectID
    }
    try other.performAndWait {
      other.delete(try other.existingObject(with: id))
      try other.save()
    }
    try one.performAndWait {
      makeNote("lost", in: one).setValue(one.object(with: id), forKey: "folder")
      let error = #expect(throws: CocoaError.self) { try one.save() }
      #expect(error?.code.rawValue == NSManagedObjectMergeError)
      one.reset()
      let count = try one.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
      #expect(count == 0)
    }
  }

  @Test(
    "statements that reach the server after their connection was lost change nothing",
    arguments: [false, true])
  func lateStatements(isRefused: Bool) throws {
    defer { proxy.close() }
    let context = try context()
    let direct = try self.context(isDirect: true)
    let id = try context.performAndWait {
      let note = makeNote("first", in: context)
      try context.save()
      note.setValue("second", forKey: "text")
      proxy.holdNext(cutsCommits: isRefused)
      if isRefused {
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect((error?.userInfo[OpenStoreErrorKey] as? StoreError)?.code == .unreachable)
      } else {
        try context.save()
      }
      return note.objectID
    }
    #expect(proxy.deliver())
    try direct.performAndWait {
      let note = try direct.existingObject(with: id)
      #expect(note.value(forKey: "text") as? String == (isRefused ? "first" : "second"))
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try direct.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      #expect(transactions.map(\.transactionNumber) == (isRefused ? [1] : [1, 2]))
    }
  }

  @Test("a slow network delivers the same values")
  func slowNetwork() throws {
    defer { proxy.close() }
    let context = try context()
    let text = { (number: Int) in String(repeating: "\(number) ☃", count: 30) }
    try context.performAndWait {
      _ = makeNote("first", in: context)
      try context.save()
      proxy.slow(to: 97, every: 1)
      for number in 0..<40 { _ = makeNote(text(number), in: context) }
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      let found = try context.fetch(request).compactMap { $0.value(forKey: "text") as? String }
      #expect(Set(found) == Set((0..<40).map(text) + ["first"]))
    }
  }
}
