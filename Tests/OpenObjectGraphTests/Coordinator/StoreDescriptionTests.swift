import Foundation
import OpenCoreData
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
}
