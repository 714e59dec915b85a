import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

@Suite("Metadata of a store")
struct StoreMetadataTests {
  @Test("the next save writes entries that were set", arguments: StoreTypes.both)
  func written(type: String) throws {
    let stack = try FaultStack(type)
    let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
    store.metadata["first"] = 1
    try stack.context.performAndWait { try stack.context.save() }
    store.metadata["second"] = 2
    try stack.context.performAndWait { try stack.context.save() }
    #expect(store.metadata["first"] as? Int == 1)
    #expect(store.metadata["second"] as? Int == 2)
  }

  /// A policy that runs a block before it resolves the first conflicts.
  private final class InterferingPolicy: NSMergePolicy, @unchecked Sendable {
    // Used only by the save of one context.
    var interfere: (() throws -> Void)?

    override func resolve(mergeConflicts list: [Any]) throws {
      let interfere = self.interfere
      self.interfere = nil
      try interfere?()
      try super.resolve(mergeConflicts: list)
    }
  }

  @Test(
    "a save repeated after a conflict does not replace newer metadata of another save",
    arguments: StoreTypes.both)
  func repeated(type: String) throws {
    let container = try ShelfModel.container(type)
    let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
    let (context, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    let policy = InterferingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    policy.interfere = {
      store.metadata["count"] = 2
      try other.performAndWait { try other.save() }
    }
    context.mergePolicy = policy
    try context.performAndWait { () throws in
      let book = ShelfBook(context: context)
      try context.save()
      let id = book.objectID
      try other.performAndWait { () throws in
        let theirs = try #require(try other.existingObject(with: id) as? ShelfBook)
        theirs.title = "Second"
        try other.save()
      }
      book.title = "Third"
      store.metadata["count"] = 1
      try context.save()
    }
    #expect(policy.interfere == nil)
    #expect(store.metadata["count"] as? Int == 2)
  }

  @Test("a number in the metadata can be cast to any numeric type", arguments: StoreTypes.both)
  func numbers(type: String) throws {
    let stack = try FaultStack(type)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    func check() {
      let metadata = coordinator.metadata(for: store)
      #expect(metadata["count"] as? Int64 == 5)
      #expect(metadata["count"] as? Double == 5)
      #expect(metadata["flag"] as? Bool == true)
      #expect(metadata["list"] as? [Int64] == [1, 2])
      #expect((metadata["inner"] as? [String: Any])?["real"] as? Float == 0.5)
    }
    coordinator.setMetadata(
      ["count": Int64(5), "flag": true, "list": [1, 2], "inner": ["real": 0.5]], for: store)
    check()
    try stack.context.performAndWait { try stack.context.save() }
    check()
  }

  @Test("integers of 8 bits keep their values in the metadata", arguments: StoreTypes.both)
  func smallIntegers(type: String) throws {
    let stack = try FaultStack(type)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    let entries: [String: Any] = [
      "level": Int8(5), "number": NSNumber(value: Int8(-3)), "flag": NSNumber(value: true),
    ]
    coordinator.setMetadata(entries, for: store)
    try stack.context.performAndWait { try stack.context.save() }
    let metadata = coordinator.metadata(for: store)
    #expect(metadata["level"] as? Int == 5)
    #expect(metadata["number"] as? Int == -3)
    #expect(metadata["flag"] as? Bool == true)
  }

  @Test(
    "setting entries after the stored ones could not be read makes the save throw; those stay",
    arguments: StoreTypes.both)
  func unread(type: String) throws {
    let stack = try FaultStack(type)
    let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
    store.metadata["first"] = 1
    try stack.context.performAndWait { () throws in
      try stack.context.save()
      stack.faults.fail(1, of: [.metadata])
      store.metadata["second"] = 2
      #expect(stack.faults.stop())
      try stack.book(11).title = "edited"
      let error = #expect(throws: (any Error).self) { try stack.context.save() }
      #expect(error.map(FaultInjection.made) == true)
      #expect(stack.context.hasChanges)
      try stack.context.save()
      #expect(store.metadata["first"] as? Int == 1)
      #expect(store.metadata["second"] == nil)
      store.metadata["second"] = 2
      try stack.context.save()
      #expect(store.metadata["first"] as? Int == 1)
      #expect(store.metadata["second"] as? Int == 2)
    }
  }

  @Test("metadata that is not a property list makes one save throw, and is discarded")
  func unfitValues() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    let coordinator = stack.coordinator()
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      coordinator.setMetadata(["good": 1], for: store)
      try context.save()
      let values: [Any] = [
        UUID(), NSObject(), ["inner": [URL(fileURLWithPath: "/")]], UInt64.max, [UInt64.max],
      ]
      for value in values {
        coordinator.setMetadata(["bad": value, "fine": 1], for: store)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.localizedDescription.contains("bad") == true)
        try context.save()
        #expect(coordinator.metadata(for: store)["good"] as? Int == 1)
        #expect(coordinator.metadata(for: store)["fine"] == nil)
      }
    }
    #expect(throws: CocoaError.self) {
      try NSPersistentStoreCoordinator.setMetadata(["bad": UUID()], type: .sqlite, at: url)
    }
  }

  @Test("setting metadata of a read-only store makes one save throw")
  func readOnlyStore() throws {
    let stack = try FileTestStack()
    let url = stack.url("a.sqlite")
    _ = try stack.fill(stack.context(try opened(url, stack)))
    let coordinator = try opened(url, stack, isReadOnly: true)
    let context = stack.context(coordinator)
    try context.performAndWait { () throws in
      let store = try #require(coordinator.persistentStores.first)
      coordinator.setMetadata(["color": "red"], for: store)
      #expect(throws: CocoaError.self) { try context.save() }
      try context.save()
      #expect(coordinator.metadata(for: store)["color"] == nil)
    }
  }

  private func opened(
    _ url: URL, _ stack: FileTestStack, isReadOnly: Bool = false
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = stack.coordinator()
    try coordinator.addPersistentStore(
      type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: isReadOnly])
    return coordinator
  }
}
