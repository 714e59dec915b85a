import Foundation
import OpenCoreData
import Testing

/// Fetches that refresh registered objects with unsaved changes.
@Suite("Refreshed results with unsaved changes")
struct RefetchTests {
  /// Apple, shouldRefreshRefetchedObjects.
  @Test(
    "a refreshing fetch updates the unchanged properties of a changed object, and a save succeeds",
    arguments: FetchingModel.stores)
  func changedObject(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let context = stack.context
      let item = try #require(try stack.item("a"))
      item.setValue(9, forKey: "rank")
      let other = stack.container.newBackgroundContext()
      try other.performAndWait {
        let found = try other.fetch(FetchingStack.request("name == 'a'")).first
        found?.setValue(7.0, forKey: "price")
        try other.save()
      }
      let request = FetchingStack.request("name == 'a'")
      request.shouldRefreshRefetchedObjects = true
      #expect(try context.fetch(request) == [item])
      #expect(item.value(forKey: "price") as? Double == 7)
      #expect(item.value(forKey: "rank") as? Int == 9)
      try context.save()
      context.reset()
      let stored = try stack.item("a")
      #expect(stored?.value(forKey: "price") as? Double == 7)
      #expect(stored?.value(forKey: "rank") as? Int == 9)
    }
  }
}
