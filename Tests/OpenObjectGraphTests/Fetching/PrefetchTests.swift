import Foundation
import OpenCoreData
import Testing

@Suite("Prefetched relationships")
struct PrefetchTests {
  @Test(
    "a prefetched to-many relationship omits members with another unsaved destination",
    arguments: FetchingModel.stores)
  func unsavedDestinations(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let context = stack.context
      let item = try #require(try stack.item("a"))
      let bob = try #require(try stack.item("bob", "Owner"))
      item.setValue(bob, forKey: "owner")
      let other = stack.container.newBackgroundContext()
      try other.performAndWait {
        let zoe = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: other)
        zoe.setValue("zoe", forKey: "name")
        let found = try other.fetch(FetchingStack.request("name == 'a'")).first
        found?.setValue(zoe, forKey: "owner")
        try other.save()
      }
      let request = FetchingStack.request("name == 'zoe'", entity: "Owner")
      request.relationshipKeyPathsForPrefetching = ["items"]
      let zoe = try #require(try context.fetch(request).first)
      #expect((zoe.value(forKey: "items") as? NSSet)?.count == 0)
      #expect((bob.value(forKey: "items") as? NSSet)?.contains(item) == true)
      #expect(item.value(forKey: "owner") as? NSManagedObject == bob)
    }
  }
}
