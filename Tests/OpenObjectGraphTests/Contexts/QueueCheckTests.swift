import Foundation
import OpenCoreData
import Testing

/// Use of contexts on the wrong thread.
@Suite("Concurrency violations")
struct QueueCheckTests {
  // In processes of their own, because the switch counts for all contexts of a process.

  @Test("using a context off its queue makes the next save throw, once")
  func offQueue() async {
    await #expect(processExitsWith: .success) {
      NSManagedObjectContext.reportsConcurrencyViolations = true
      let context = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
      _ = ShelfBook(context: context)
      context.performAndWait {
        let error = #expect(throws: ObjectError.self) { try context.save() }
        #expect(error?.message.contains("Concurrency violation") == true)
      }
      try context.performAndWait { () throws in
        try context.save()
        #expect(!context.hasChanges)
      }
    }
  }

  @Test(
    "faults, fetches, deletions and first changes are watched, work on the queue is not reported")
  func watchedCalls() async {
    await #expect(processExitsWith: .success) {
      NSManagedObjectContext.reportsConcurrencyViolations = true
      let context = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
      let child = context.makeChild()
      let book = try child.performAndWait { () throws in
        let book = ShelfBook(context: child)
        try child.save()
        try context.performAndWait { () throws in try context.save() }
        return book
      }
      func reports(_ misuse: () throws -> Void) rethrows -> Bool {
        try misuse()
        return child.performAndWait { (try? child.save()) == nil }
      }
      #expect(!reports {})
      #expect(
        try reports { _ = try child.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook")) })
      #expect(reports { book.title = "off" })
      child.performAndWait { child.refresh(book, mergeChanges: false) }
      #expect(reports { _ = book.title })
      #expect(reports { child.delete(book) })
    }
  }
}
