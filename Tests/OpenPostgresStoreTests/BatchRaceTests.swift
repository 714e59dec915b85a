import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Synchronization
import Testing

import class OpenPredicates.NSExpression

/// Batch requests whose rows another program changes before the rows are locked.
@Suite("Batch requests that wait for other programs", .enabled(if: TestServer.isPresent))
struct BatchRaceTests {
  /// Returns a context on a new stack. Another program executes SQL before the stack first executes
  /// a statement that contains the given words, by default a statement that locks rows.
  private func context(
    _ schema: String, racing sql: String, before words: [String] = ["z_pk FOR UPDATE"]
  ) throws -> NSManagedObjectContext {
    let server = try TestServer.shared.get()
    let isOver = Atomic<Bool>(false)
    let container = try Library.container(try server.url(schema: schema)) { description in
      description.setOption(
        StatementObserver { text in
          guard words.allSatisfy({ text.contains($0) }),
            !isOver.exchange(true, ordering: .sequentiallyConsistent)
          else { return }
          do { try server.execute(sql) } catch { Issue.record(error) }
        }, forKey: OpenStatementObserverOption)
    }
    return container.newBackgroundContext()
  }

  /// Saves an author with two free books.
  private func fill(_ context: NSManagedObjectContext) throws {
    let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
    author.setValue("A", forKey: "name")
    for pages in [1, 2] {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("free", forKey: "title")
      book.setValue(pages, forKey: "pages")
      book.setValue(author, forKey: "author")
    }
    try context.save()
  }

  /// Returns the titles and the pages of all books, by pages.
  private func books(_ context: NSManagedObjectContext) throws -> [String] {
    context.reset()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
    return try context.fetch(request).map { book in
      "\(book.value(forKey: "title") as? String ?? "") \(book.value(forKey: "pages") as? Int ?? 0)"
    }
  }

  /// The statement of a program that takes the book with one page.
  private static func taking(in schema: String) -> String {
    "UPDATE \(schema).zbook SET ztitle = 'taken', z_opt = z_opt + 1 WHERE zpages = 1"
  }

  @Test("a deletion spares rows that no longer match")
  func deletion() throws {
    let context = try context("race_deletion", racing: Self.taking(in: "race_deletion"))
    try context.performAndWait {
      try fill(context)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "title == 'free'")
      let deletion = NSBatchDeleteRequest(fetchRequest: request)
      deletion.resultType = .resultTypeCount
      let result = try context.execute(deletion) as? NSBatchDeleteResult
      #expect(result?.result as? Int == 1)
      let left = try books(context)
      #expect(left == ["taken 1"])
    }
  }

  /// An update of free books that needs several statements.
  struct Update: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: String
    let format: String
    let makeValue: @Sendable () -> Any
    let expected: [String]
  }

  static let updates = [
    Update(
      testDescription: "new values are computed from old ones", schema: "race_values",
      format: "title == 'free'", makeValue: { NSExpression(format: "pages + 5") },
      expected: ["taken 1", "free 7"]),
    Update(
      testDescription: "the condition concerns related objects", schema: "race_paths",
      format: "title == 'free' AND author.name == 'A'", makeValue: { 9 },
      expected: ["taken 1", "free 9"]),
  ]

  @Test("an update spares rows that no longer match", arguments: updates)
  func update(_ update: Update) throws {
    let context = try context(update.schema, racing: Self.taking(in: update.schema))
    try context.performAndWait {
      try fill(context)
      let request = NSBatchUpdateRequest(entityName: "Book")
      request.predicate = NSPredicate(format: update.format)
      request.propertiesToUpdate = ["pages": update.makeValue()]
      request.resultType = .updatedObjectsCountResultType
      let result = try context.execute(request) as? NSBatchUpdateResult
      #expect(result?.result as? Int == 1)
      let updated = try books(context)
      #expect(updated == update.expected)
    }
  }

  @Test("an insertion does not replace a row that no longer has the same unique value")
  func insertion() throws {
    let schema = "race_insertion"
    let context = try context(
      schema, racing: "UPDATE \(schema).zauthor SET zname = 'B', z_opt = z_opt + 1")
    try context.performAndWait {
      try fill(context)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.execute(NSBatchInsertRequest(entityName: "Author", objects: [["name": "A"]]))
      context.reset()
      let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")
      let names = try context.fetch(authors).compactMap { $0.value(forKey: "name") as? String }
      #expect(names.sorted() == ["A", "B"])
    }
  }

  @Test("an insertion reports that its connection was lost, and inserts nothing")
  func lostInsertion() throws {
    let schema = "race_lost"
    let context = try context(
      schema,
      racing: """
        SELECT pg_terminate_backend(pid, 10000) FROM pg_locks \
        WHERE relation = '\(schema).z_store'::regclass AND mode = 'RowShareLock'
        """, before: ["INSERT INTO", "zbook"])
    try context.performAndWait {
      let request = NSBatchInsertRequest(entityName: "Book", objects: [["title": "A"]])
      let error = #expect(throws: NSError.self) { try context.execute(request) }
      #expect((error?.userInfo[OpenStoreErrorKey] as? StoreError)?.code == .unreachable)
      let stored = try books(context)
      #expect(stored.isEmpty)
    }
  }

  @Test("an insertion replaces a row with the same unique value that was inserted just before")
  func insertionOfTheSameValues() throws {
    let schema = "race_replacement"
    let context = try context(
      schema,
      racing: """
        INSERT INTO \(schema).zauthor (z_pk, z_ent, z_opt, zname) \
        SELECT 1000, z_ent, 1, 'B' FROM \(schema).z_primarykey WHERE z_name = 'Author'
        """, before: ["INSERT INTO", "zauthor"])
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let request = NSBatchInsertRequest(
        entityName: "Author", objects: ["C", "B", "A", "B"].map { ["name": $0] as [String: Any] })
      request.resultType = .count
      let result = try context.execute(request) as? NSBatchInsertResult
      #expect(result?.result as? Int == 3)
      let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")
      authors.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let found = try context.fetch(authors)
      #expect(found.map { $0.value(forKey: "name") as? String } == ["A", "B", "C"])
      let keys = found.map { $0.objectID.uriRepresentation().lastPathComponent }
      #expect(keys.dropFirst().first == "p1000")
    }
  }
}
