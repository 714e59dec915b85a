import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

@Suite("Metadata of a store")
struct StoreMetadataTests {
  @Test("entries that are set are written by the next save", arguments: StoreTypes.both)
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

  @Test(
    "entries that are set when the stored ones could not be read make the save throw, and those stay",
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
}
