import Foundation
import OpenCoreData
import Synchronization
import Testing

@Suite("Store descriptions")
struct StoreDescriptionTests {
  @Test("descriptions with equal settings are equal, as is a copy until it changes")
  func equality() throws {
    func make() -> NSPersistentStoreDescription {
      NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/a.sqlite"))
    }
    let description = make()
    #expect(description == make())
    #expect(description.hash == make().hash)
    let changes: [(NSPersistentStoreDescription) -> Void] = [
      { $0.type = NSXMLStoreType }, { $0.configuration = "Local" },
      { $0.url = URL(fileURLWithPath: "/tmp/b.sqlite") }, { $0.isReadOnly = true },
      { $0.setValue("NORMAL" as NSString, forPragmaNamed: "synchronous") },
      { $0.shouldAddStoreAsynchronously = true },
    ]
    for change in changes {
      let copy = try #require(description.copy() as? NSPersistentStoreDescription)
      #expect(copy == description)
      change(copy)
      #expect(copy != description)
    }
    #expect(!description.isEqual("a"))
  }

  /// A new object is saved to the first store that accepts its entity, so the order matters.
  @Test("stores that are added asynchronously are added in the order of their descriptions")
  func asynchronousOrder() async throws {
    let stack = try FileTestStack()
    defer { withExtendedLifetime(stack) {} }
    let container = NSPersistentContainer(name: "Order", managedObjectModel: stack.model)
    // Creating a file takes longer than creating a store in memory.
    let first = stack.url("first.sqlite")
    let others = (0..<20).map { _ in NSPersistentStoreDescription() }
    let descriptions = [NSPersistentStoreDescription(url: first)] + others
    for description in descriptions { description.shouldAddStoreAsynchronously = true }
    container.persistentStoreDescriptions = descriptions
    let count = descriptions.count
    let ended = Mutex<[ObjectIdentifier]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      container.loadPersistentStores { description, error in
        #expect(error == nil)
        let endedCount = ended.withLock { ended in
          ended.append(ObjectIdentifier(description))
          return ended.count
        }
        if endedCount == count { continuation.resume() }
      }
    }
    let order = ended.withLock { $0 }
    #expect(order == descriptions.map { ObjectIdentifier($0) })
    let stores = container.persistentStoreCoordinator.persistentStores
    #expect(stores.count == count)
    #expect(stores.first?.url == first)
  }
}
