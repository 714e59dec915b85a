import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Synchronization
import Testing

@Suite("Saves of rows that other programs keep changing", .enabled(if: TestServer.isPresent))
struct SaveRaceTests {
  @Test("a save with a merge policy succeeds after another program changed the row 20 times")
  func repeatedConflicts() throws {
    let server = try TestServer.shared.get()
    let schema = "race_saves"
    let changes = 20
    let attempts = Atomic<Int>(0)
    let container = try Library.container(try server.url(schema: schema)) { description in
      description.setOption(
        StatementObserver { text in
          // The first statement of each attempt that locks the row.
          guard text.hasPrefix("WITH l"), text.contains("FOR NO KEY UPDATE"),
            attempts.add(1, ordering: .sequentiallyConsistent).newValue <= changes
          else { return }
          do {
            try server.execute(
              "UPDATE \(schema).zbook SET zpages = zpages + 1, z_opt = z_opt + 1")
          } catch {
            Issue.record(error)
          }
        }, forKey: OpenStatementObserverOption)
    }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(0, forKey: "pages")
      try context.save()
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      book.setValue("mine", forKey: "title")
      try context.save()
      #expect(book.value(forKey: "title") as? String == "mine")
      #expect(book.value(forKey: "pages") as? Int == changes)
    }
    #expect(attempts.load(ordering: .sequentiallyConsistent) == changes + 1)
  }

  @Test("a save that waits for a locked row throws 134090 after one timeout, not after two")
  func lockedRow() throws {
    let url = try TestServer.shared.get().newURL()
    let beginnings = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
    let waiting = try Library.container(url) { description in
      description.timeout = 0.2
      description.setOption(
        StatementObserver { text in
          guard text.hasPrefix("LOCK TABLE"), text.hasSuffix("ROW SHARE MODE") else { return }
          beginnings.add(1, ordering: .sequentiallyConsistent)
        }, forKey: OpenStatementObserverOption)
    }.newBackgroundContext()
    let holder = try Library.container(url) { description in
      description.setOption(
        StatementObserver { text in
          guard text.contains("INSERT INTO"), text.contains("zbook"),
            !isOver.exchange(true, ordering: .sequentiallyConsistent)
          else { return }
          waiting.performAndWait {
            let error = #expect(throws: CocoaError.self) {
              let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
              try waiting.fetch(request).first?.setValue("waiting", forKey: "name")
              try waiting.save()
            }
            #expect(error?.code == .persistentStoreTimeout)
          }
        }, forKey: OpenStatementObserverOption)
    }.newBackgroundContext()
    try holder.performAndWait {
      let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: holder)
      try holder.save()
      author.setValue("holder", forKey: "name")
      // The order of the books makes the save a transaction of several round trips.
      for _ in 0..<2 {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: holder)
          .setValue(author, forKey: "author")
      }
      try holder.save()
    }
    #expect(isOver.load(ordering: .sequentiallyConsistent) == true)
    #expect(beginnings.load(ordering: .sequentiallyConsistent) == 1)
  }
}
