import Foundation
import OpenCoreData
import Testing

/// Use of contexts on the wrong thread.
@Suite("Concurrency violations")
struct QueueCheckTests {
  // Each test runs in a separate process, because the switch affects all contexts of a process.

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

  #if DEBUG
    @Test("debug builds log only the first use off the queue, and saves do not throw (D-056)")
    func firstUse() async throws {
      let result = await #expect(
        processExitsWith: .success,
        observing: [\.standardOutputContent, \.standardErrorContent]
      ) {
        let context = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
        for _ in 0..<2 {
          _ = ShelfBook(context: context)
          try context.performAndWait { () throws in try context.save() }
        }
      }
      let output = try #require(result)
      let log = [output.standardOutputContent, output.standardErrorContent]
        .map { String(decoding: $0, as: UTF8.self) }.joined()
      #expect(log.components(separatedBy: "Concurrency violation").count == 2)
    }
  #endif

  @Test(
    "faults, fetches, deletions and first changes are checked; work on the queue is not reported")
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
      #expect(!reports { _ = book.title })
      child.performAndWait { child.refresh(book, mergeChanges: false) }
      #expect(reports { _ = book.title })
      #expect(reports { child.delete(book) })
    }
  }
}
