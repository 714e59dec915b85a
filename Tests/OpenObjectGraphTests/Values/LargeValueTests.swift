import Foundation
import Glibc
import OpenCoreData
import OpenObjectGraph
import OpenStoreContract
import Testing

@Suite("Objects whose values total more than four gigabytes")
struct LargeValueTests {
  /// Returns more than four gigabytes of data, which is never read and therefore not allocated.
  fileprivate static func vastData() -> Data? {
    let size = (4 << 30) + 1
    let memory = mmap(
      nil, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let memory, memory != MAP_FAILED else { return nil }
    return Data(bytesNoCopy: memory, count: size, deallocator: .custom { _ = munmap($0, $1) })
  }

  private func expectUnfit(_ key: String, _ work: () throws -> Void) throws {
    let error = try #require(throws: CocoaError.self) { try work() }
    let cause = try #require(error.userInfo[OpenStoreErrorKey] as? StoreError)
    #expect(cause.code == .unfitValue)
    #expect(cause.entityName == "Thing" && cause.propertyName == key)
  }

  @Test(
    "a save rejects a transformable value of more than four gigabytes",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func transformableValue(_ type: String) throws {
    let name = NSValueTransformerName("vast-\(UUID().uuidString)")
    ValueTransformer.setValueTransformer(VastTransformer(), forName: name)
    defer { ValueTransformer.setValueTransformer(nil, forName: name) }
    let stack = try ThingStack(type) {
      $0.attributesByName["blob"]?.valueTransformerName = name.rawValue
    }
    defer { withExtendedLifetime(stack) {} }
    try stack.run { context in
      let thing = HostileThing(context: context)
      thing.setValue("vast", forKey: "blob")
      try expectUnfit("blob") { try context.save() }
      thing.setValue("small", forKey: "blob")
      try context.save()
      thing.setValue("vast", forKey: "blob")
      try expectUnfit("blob") { try context.save() }
      thing.setValue("small", forKey: "blob")
      try context.save()
    }
  }

  @Test("a value of more than four gigabytes from an incremental store is a failed read")
  func incrementalStore() throws {
    ServerStore.register()
    let server = Server()
    server.records["thing/1"] = Server.Record(
      entity: "Thing", values: ["bytes": try #require(Self.vastData())])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ThingStack.model())
    try coordinator.addPersistentStore(
      ofType: ServerStore.storeType, configurationName: nil,
      at: FileManager.default.temporaryDirectory.appendingPathComponent("server"),
      options: ["server": server])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      let thing = try #require(things.first)
      try expectUnfit("bytes") { _ = try thing.checkedValue(forKey: "bytes") }
    }
  }
}

/// Converts the string "vast" to more than four gigabytes, and other values to one byte.
private final class VastTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSData.self }
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    value as? String == "vast" ? LargeValueTests.vastData() : Data([1])
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? { "small" }
}
