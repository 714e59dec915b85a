import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// Two contexts of one coordinator that change the same objects of an incremental store.
@Suite("Conflicts between contexts of an incremental store")
struct IncrementalConflictTests {
  private let stack: FileTestStack
  private let server = Server()
  private let coordinator: NSPersistentStoreCoordinator

  init() throws {
    ServerStore.register()
    stack = try FileTestStack()
    coordinator = stack.coordinator()
    try coordinator.addPersistentStore(
      ofType: ServerStore.storeType, configurationName: nil, at: stack.url("server"),
      options: ["server": server])
  }

  private var storedWords: [String] {
    server.records.values.compactMap { $0.values["word"] as? String }.sorted()
  }

  private func savedTag(in context: NSManagedObjectContext) throws -> NSManagedObject {
    try context.performAndWait { () throws -> NSManagedObject in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("A", forKey: "word")
      try context.save()
      return tag
    }
  }

  /// Returns the loaded object of a context for an object of another context.
  private func loaded(
    _ object: NSManagedObject, in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let id = object.objectID
    return try context.performAndWait { () throws -> NSManagedObject in
      let same = try context.existingObject(with: id)
      // The delete rules need the members, which the store cannot return after a deletion.
      _ = same.value(forKey: "books")
      return same
    }
  }

  private func change(
    _ tag: NSManagedObject, to word: String, in context: NSManagedObjectContext
  ) throws {
    try context.performAndWait { () throws in
      tag.setValue(word, forKey: "word")
      try context.save()
    }
  }

  private func expectConflict(in context: NSManagedObjectContext) {
    context.performAndWait {
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
    }
  }

  @Test("a save that is repeated after a conflict finds the conflict again")
  func repeatedSave() throws {
    let (first, second) = (stack.context(coordinator), stack.context(coordinator))
    let tag = try savedTag(in: first)
    let same = try loaded(tag, in: second)
    try change(tag, to: "P", in: first)
    second.performAndWait { same.setValue("Q", forKey: "word") }
    for _ in 0..<2 { expectConflict(in: second) }
    #expect(storedWords == ["P"])
    try second.performAndWait { () throws in
      second.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      try second.save()
      #expect(same.value(forKey: "word") as? String == "P")
    }
    #expect(storedWords == ["P"])
    try change(same, to: "R", in: second)
    #expect(storedWords == ["R"])
  }

  @Test("the change of a context that was released is not overwritten")
  func releasedContext() throws {
    let second = stack.context(coordinator)
    let tag = try savedTag(in: second)
    try {
      let first = stack.context(coordinator)
      try change(try loaded(tag, in: first), to: "P", in: first)
    }()
    second.performAndWait { tag.setValue("Q", forKey: "word") }
    for _ in 0..<2 { expectConflict(in: second) }
    #expect(storedWords == ["P"])
  }

  @Test("a store keeps the versions of written rows only while contexts have the objects")
  func manyWrittenRows() throws {
    let (first, second) = (stack.context(coordinator), stack.context(coordinator))
    let tag = try savedTag(in: first)
    let same = try loaded(tag, in: second)
    try change(tag, to: "P", in: first)
    let count = 1_500
    for _ in 0..<4 {
      try first.performAndWait { () throws in
        let tags = (0..<count).map { _ in
          NSEntityDescription.insertNewObject(forEntityName: "Tag", into: first)
        }
        try first.save()
        for tag in tags { tag.setValue("Q", forKey: "word") }
        try first.save()
      }
    }
    let store = try #require(coordinator.persistentStores.first as? NSIncrementalStore)
    #expect(store.knownVersionCount <= 2 * count)
    second.performAndWait { same.setValue("R", forKey: "word") }
    expectConflict(in: second)
    #expect(!storedWords.contains("R"))
  }

  @Test(
    "changing or deleting an object that another context has deleted is a conflict",
    arguments: [false, true])
  func deletedObject(_ deletesTwice: Bool) throws {
    let (first, second) = (stack.context(coordinator), stack.context(coordinator))
    let tag = try savedTag(in: first)
    let same = try loaded(tag, in: second)
    try first.performAndWait { () throws in
      first.delete(tag)
      try first.save()
    }
    second.performAndWait {
      if deletesTwice { second.delete(same) } else { same.setValue("Q", forKey: "word") }
    }
    for _ in 0..<2 { expectConflict(in: second) }
    #expect(server.records.isEmpty)
    try second.performAndWait { () throws in
      second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try second.save()
    }
    #expect(server.records.isEmpty)
  }

  @Test("changing a relationship of an object that another context has deleted is a conflict")
  func relationshipOfDeletedObject() throws {
    let (first, second) = (stack.context(coordinator), stack.context(coordinator))
    let tag = try savedTag(in: second)
    let book = try first.performAndWait { () throws -> NSManagedObject in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: first)
      try first.save()
      return book
    }
    let id = book.objectID
    try second.performAndWait { () throws in
      let same = try second.existingObject(with: id)
      same.setValue(NSSet(object: tag), forKey: "tags")
    }
    try first.performAndWait { () throws in
      first.delete(book)
      try first.save()
    }
    expectConflict(in: second)
    #expect(server.records.values.map(\.entity) == ["Tag"])
  }

  @Test("an object that the store contains again after its deletion can be read and changed")
  func returningObject() throws {
    let (first, second) = (stack.context(coordinator), stack.context(coordinator))
    let tag = try savedTag(in: first)
    let id = tag.objectID
    let former = server.records
    try first.performAndWait { () throws in
      first.delete(tag)
      try first.save()
    }
    server.records = former
    try second.performAndWait { () throws in
      try second.existingObject(with: id).setValue("B", forKey: "word")
      try second.save()
    }
    #expect(storedWords == ["B"])
  }
}
