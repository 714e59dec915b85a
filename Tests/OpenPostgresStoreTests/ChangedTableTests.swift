import Foundation
import OpenCoreData
import OpenStoreContract
import PostgresTestServer
import Testing

/// Statements that the server has prepared before another program changes a table.
@Suite(
  "Tables that another program changes while a store is open", .enabled(if: TestServer.isPresent))
struct ChangedTableTests {
  /// A call that reads or writes the book with a title, and returns the number of such books.
  struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (NSManagedObjectContext, String) throws -> Int
  }

  static let calls = [
    Call(testDescription: "a fetch that the server evaluates") { context, title in
      try context.fetch(books("title == %@", title)).count
    },
    Call(testDescription: "a fetch that the library evaluates") { context, title in
      try context.fetch(books("title CONTAINS %@", title)).count
    },
    Call(testDescription: "faults") { context, title in
      let request = books("title == %@", title)
      request.includesPropertyValues = false
      let found = try context.fetch(request)
      return found.count { $0.value(forKey: "pages") as? Int == 1 }
    },
    Call(testDescription: "a batch deletion") { context, title in
      let request = NSBatchDeleteRequest(fetchRequest: books("title == %@", title))
      request.resultType = .resultTypeCount
      let result = try context.execute(request) as? NSBatchDeleteResult
      return result?.result as? Int ?? 0
    },
  ]

  private static func books(_ format: String, _ title: String) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: format, title)
    return request
  }

  @Test(
    "a call succeeds although the server can no longer execute a prepared statement",
    arguments: calls, ["ADD COLUMN note text", "ALTER COLUMN zpages TYPE bigint"])
  func changes(_ call: Call, _ change: String) throws {
    let server = try TestServer.shared.get()
    let schema = "changed_\(UUID().uuidString.prefix(8))".lowercased()
    let context = try Library.container(try server.url(schema: schema)).newBackgroundContext()
    try context.performAndWait {
      for title in ["first", "second"] {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue(title, forKey: "title")
        book.setValue(1, forKey: "pages")
      }
      try context.save()
      context.reset()
      let before = try call.run(context, "first")
      #expect(before == 1)
      context.reset()
      try server.execute("ALTER TABLE \(schema).zbook \(change)")
      let after = try call.run(context, "second")
      #expect(after == 1)
    }
  }

  @Test("objects are not read from a column whose new type has other values")
  func otherType() throws {
    let server = try TestServer.shared.get()
    let schema = "changed_type"
    let context = try Library.container(try server.url(schema: schema)).newBackgroundContext()
    try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("first", forKey: "title")
      book.setValue(true, forKey: "isRead")
      try context.save()
      context.reset()
      let column = "ALTER TABLE \(schema).zbook ALTER zisread TYPE"
      try server.execute("\(column) boolean USING zisread <> 0")
      let error = #expect(throws: CocoaError.self) {
        try context.fetch(Self.books("title == %@", "first"))
      }
      #expect(error?.code == .persistentStoreIncompatibleSchema)
      try server.execute("\(column) smallint USING zisread::integer")
      let books = try context.fetch(Self.books("title == %@", "first"))
      #expect(books.map { $0.value(forKey: "isRead") as? Bool } == [true])
    }
  }

  @Test("a fetch of a decimal number that is NaN throws (D-404)")
  func notANumber() throws {
    let server = try TestServer.shared.get()
    let schema = "changed_nan"
    let context = try Library.container(try server.url(schema: schema)).newBackgroundContext()
    try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("first", forKey: "title")
      try context.save()
      context.reset()
      try server.execute("UPDATE \(schema).zbook SET zprice = 'NaN'")
      let rows = NSFetchRequest<NSDictionary>(entityName: "Book")
      rows.resultType = .dictionaryResultType
      rows.propertiesToFetch = ["price"]
      let errors = [
        #expect(throws: CocoaError.self) {
          try context.fetch(Self.books("title == %@", "first"))
        },
        #expect(throws: CocoaError.self) { try context.fetch(rows) },
      ]
      for error in errors {
        #expect(error?.code == .fileReadCorruptFile)
        let cause = error?.userInfo[OpenStoreErrorKey] as? StoreError
        #expect(cause?.propertyName == "price")
      }
    }
  }

  @Test("a fetch of values does not trap if a column has a type that the library does not know")
  func unknownType() throws {
    let server = try TestServer.shared.get()
    let schema = "changed_unknown"
    let context = try Library.container(try server.url(schema: schema)).newBackgroundContext()
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        .setValue("first", forKey: "title")
      try context.save()
      // In binary form, the value ends with the bytes 1 and 0.
      try server.execute(
        """
        ALTER TABLE \(schema).zbook ALTER zpublished TYPE timestamp \
        USING timestamp '2000-01-01 00:00:00.000256'
        """)
      let request = NSFetchRequest<NSDictionary>(entityName: "Book")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["published"]
      let found = (try? context.fetch(request)) ?? []
      #expect(found.allSatisfy { !($0["published"] is Date) })
    }
  }

  @Test("a save that needs a feature that the server does not support throws and is not repeated")
  func unsupportedFeature() throws {
    let server = try TestServer.shared.get()
    let schema = "unsupported_\(UUID().uuidString.prefix(8))".lowercased()
    let context = try Library.container(try server.url(schema: schema)).newBackgroundContext()
    // A sequence also counts the attempts that are rolled back. The save is sent at most twice: in
    // one round trip, and then step by step.
    try server.execute(
      """
      CREATE SEQUENCE \(schema).attempts;
      CREATE FUNCTION \(schema).refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('\(schema).attempts') <= 2 THEN
          RAISE EXCEPTION 'unsupported' USING ERRCODE = 'feature_not_supported';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON \(schema).zbook
      FOR EACH ROW EXECUTE FUNCTION \(schema).refuse()
      """)
    context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        .setValue("first", forKey: "title")
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(context.insertedObjects.count == 1)
    }
  }
}
