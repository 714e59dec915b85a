import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenPredicates
import Testing

/// A controller without a delegate follows nothing.
private final class Follower: NSFetchedResultsControllerDelegate {}

@Suite("Full-text searches")
struct FullTextSearchTests {
  /// Formats, and the numbers of the notes that they find.
  static let searches: [(format: String, numbers: [Int])] = [
    ("title CONTAINSWORDS 'kernel'", [1]), ("title CONTAINSWORDS 'kernel*'", [1, 2]),
    ("SELF CONTAINSWORDS 'linux kernel'", [1, 3]), ("SELF CONTAINSWORDS 'cafe'", [3]),
    ("remark CONTAINSWORDS 'LINUX'", [2]), ("SELF CONTAINSWORDS 'linux'", [1, 3]),
    ("NOT title CONTAINSWORDS 'kernel'", [2, 3, 4, 5]),
    ("NOT SELF CONTAINSWORDS 'kernel*'", [5]), ("SELF CONTAINSWORDS 'kernel news'", [4]),
    ("SELF CONTAINSWORDS 'popcorn OR scheduler' AND number < 2", [1]),
    ("SELF CONTAINSWORDS 'kernel NOT linux' OR number == 5", [4, 5]),
    ("author.name CONTAINSWORDS 'muller'", [1, 4]),
    ("NOT author.name CONTAINSWORDS 'muller'", [2, 3, 5]),
    ("author CONTAINSWORDS 'ann'", [1, 4]), ("NOT author CONTAINSWORDS 'ann'", [2, 3, 5]),
    ("ANY author.notes CONTAINSWORDS 'news'", [1, 4]),
    ("ANY author.notes.title CONTAINSWORDS 'linux'", [1, 4]),
    ("SUBQUERY(author.notes, $n, $n.body CONTAINSWORDS 'scheduler').@count > 0", [1, 4]),
    ("title CONTAINSWORDS body", []), ("uppercase(title) CONTAINSWORDS 'linux'", [1]),
    ("SELF CONTAINSWORDS ''", []), ("SELF CONTAINSWORDS '\"NEAR( col:x \\\" *'", []),
    ("title CONTAINSWORDS NIL", []), ("NOT title CONTAINSWORDS NIL", [1, 2, 3, 4, 5]),
  ]

  @Test(
    "a search has the same results with and without an index, in every store, also for unsaved objects",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType], [true, false])
  func meaning(_ type: String, _ isIndexed: Bool) throws {
    let stack = try SearchStack()
    try stack.with(type: type, isIndexed: isIndexed) { context throws in
      context.makeNotes()
      let all = NSFetchRequest<NSManagedObject>(entityName: "Note")
      for search in Self.searches {
        #expect(try context.numbers(search.format) == search.numbers, "unsaved: \(search.format)")
      }
      try context.save()
      let notes = try context.fetch(all)
      for (format, numbers) in Self.searches {
        #expect(try context.numbers(format) == numbers, "\(format)")
        let predicate = NSPredicate(format: format)
        let found = notes.filter { predicate.evaluate(with: $0) }
          .compactMap { $0.value(forKey: "number") as? Int }
        #expect(found.sorted() == numbers, "evaluated: \(format)")
      }
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = context
      let found = try child.performAndWait { try child.numbers("SELF CONTAINSWORDS 'linux'") }
      #expect(found == [1, 3])
    }
  }

  @Test("a search uses the index if there is one, and otherwise a function")
  func statements() throws {
    let stack = try SearchStack()
    for isIndexed in [false, true] {
      try stack.with(isIndexed: isIndexed) { context throws in
        for format in [
          "title CONTAINSWORDS 'a'", "SELF CONTAINSWORDS 'a'", "author CONTAINSWORDS 'a'",
        ] {
          _ = try context.numbers(format)
          let statement = try #require(stack.log.all.last)
          #expect(statement.contains("MATCH ?") == isIndexed, "\(statement)")
          #expect(statement.contains("ocd_containsWords") == !isIndexed, "\(statement)")
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(search: "a")
        let suggestions = try context.explanation(of: request).suggestions
        #expect(suggestions.contains { $0.contains("OpenTextIndexOption") } == !isIndexed)
      }
    }
  }

  @Test("unsaved changes, deletions and sort descriptors apply to a search")
  func pendingChanges() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      context.makeNotes()
      try context.save()
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      let byNumber = Dictionary(
        uniqueKeysWithValues: notes.map { ($0.value(forKey: "number") as? Int ?? 0, $0) })
      byNumber[1]?.setValue("BSD", forKey: "title")
      byNumber[5]?.setValue("A Linux book", forKey: "body")
      if let third = byNumber[3] { context.delete(third) }
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [5])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(search: "kernel* OR linux")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
      request.fetchLimit = 2
      #expect(try context.fetch(request).map { $0.value(forKey: "number") as? Int } == [5, 4])
      try context.save()
      #expect(try context.numbers("SELF CONTAINSWORDS 'linux'") == [5])
    }
    #expect(try stack.isSound())
  }

  @Test("a fetched results controller follows a search")
  func fetchedResults() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      context.makeNotes()
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(search: "linux")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
      let delegate = Follower()
      controller.delegate = delegate
      try controller.performFetch()
      context.make("Note", ["number": 6, "title": "More LINUX"])
      controller.fetchedObjects?.first?.setValue("BSD", forKey: "title")
      try context.save()
      #expect(
        controller.fetchedObjects?.map { $0.value(forKey: "number") as? Int } == [3, 6])
      withExtendedLifetime(delegate) {}
    }
  }

  @Test("an unsupported search throws an error that states the remedy")
  func errors() throws {
    let stack = try SearchStack()
    try stack.with(SearchStack.makeModel(searched: [])) { context throws in
      let object = #expect(throws: (any Error).self) {
        try context.numbers("SELF CONTAINSWORDS 'a'")
      }
      #expect("\(String(describing: object))".contains("isIndexedBySpotlight"))
      let number = #expect(throws: (any Error).self) {
        try context.numbers("number CONTAINSWORDS 'a'")
      }
      #expect("\(String(describing: number))".contains("can search only strings and objects"))
      #expect(throws: (any Error).self) { try context.numbers("SELF CONTAINSWORDS title") }
    }
  }

  // MARK: Relevance

  private func ranked(
    _ query: TextQuery, in context: NSManagedObjectContext, entity: String = "Note",
    candidateLimit: Int? = nil, _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
  ) throws -> [Int] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    change(request)
    return try context.fetch(request, rankedBy: query, candidateLimit: candidateLimit)
      .compactMap { $0.value(forKey: "number") as? Int }
  }

  @Test("the most relevant objects are first, with limit, offset and predicate in SQL")
  func ranking() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      for (number, words) in [
        (1, "kernel"), (2, "kernel kernel kernel"), (3, "popcorn"), (4, "kernel kernel"),
      ] {
        let rest = String(repeating: " filler", count: 5 - words.split(separator: " ").count)
        context.make(number == 4 ? "Article" : "Note", ["number": number, "body": words + rest])
      }
      try context.save()
      #expect(try ranked("KERNEL", in: context) == [2, 4, 1])
      #expect(try ranked("kernel", in: context) { $0.fetchLimit = 1 } == [2])
      #expect(
        try ranked("kernel", in: context) { ($0.fetchLimit, $0.fetchOffset) = (2, 1) } == [4, 1])
      #expect(stack.log.all.last?.contains("LIMIT ? OFFSET ?") == true)
      #expect(
        try ranked("kernel", in: context) { $0.predicate = NSPredicate(format: "number != 2") }
          == [4, 1])
      #expect(try ranked("kernel", in: context, entity: "Article") == [4])
      #expect(try ranked("", in: context) == [])
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      ids.resultType = .managedObjectIDResultType
      #expect(try context.fetch(ids, rankedBy: "kernel").count == 3)
    }
  }

  @Test("with a candidate limit, the last stored objects that match the predicate are ranked")
  func candidates() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      for number in 1...6 {
        let count = [3, 1, 2, 1, 1, 2][number - 1]
        let words =
          Array(repeating: "kernel", count: count) + Array(repeating: "filler", count: 3 - count)
        context.make(
          number == 4 ? "Article" : "Note",
          ["number": number, "body": words.joined(separator: " ")])
        try context.save()
      }
      for (limit, numbers) in [
        (nil, [1, 3, 6, 2, 4, 5]), (4, [3, 6, 4, 5]), (100, [1, 3, 6, 2, 4, 5]),
      ] {
        let found = try ranked("kernel", in: context, candidateLimit: limit) {
          $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        }
        #expect(found == numbers)
      }
      #expect(try ranked("kernel", in: context, candidateLimit: 0) == [6])
      #expect(
        try ranked("kernel", in: context, candidateLimit: 2) {
          $0.predicate = NSPredicate(format: "number < 4")
        } == [3, 2])
      #expect(
        try ranked("kernel", in: context, candidateLimit: 3) {
          $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
          ($0.fetchLimit, $0.fetchOffset) = (2, 1)
        } == [5, 4])
      #expect(try ranked("kernel", in: context, entity: "Article", candidateLimit: 1) == [4])
    }
  }

  @Test(
    "the order is that of FTS5's bm25, for one word, several, phrases and prefixes",
    arguments: [
      "kernel", "kernel linux", "kernel NOT linux", "kernel OR bsd", "\"linux kernel\"", "ker*",
      "\"linux kernel\" OR bsd", "the", "the kernel", "the NOT bsd",
    ])
  func orderOfBM25(_ query: String) throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      let words = ["kernel", "linux", "bsd", "kerning", "filler"]
      for number in 0..<120 {
        // Numbers derived from the row, so that texts differ in length and words.
        let texts = (0..<(3 + number % 17)).map { words[(number * 7 + $0 * $0 * 3) % words.count] }
        context.make(
          "Note",
          ["number": number, "title": "the \(texts[0])", "body": texts.joined(separator: " ")])
      }
      try context.save()
      let found = try [nil, 1_000].map { limit in
        try ranked(TextQuery(query), in: context, candidateLimit: limit) {
          $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        }
      }
      let match = TextQuery(query).expression(columns: nil)
        .replacingOccurrences(of: "'", with: "''")
      let wanted = try stack.sqlite(
        "SELECT ZNUMBER FROM ZNOTE JOIN OpenCoreDataText_ZNOTE AS words ON words.rowid = Z_PK "
          + "WHERE OpenCoreDataText_ZNOTE MATCH '\(match)' ORDER BY words.rank, ZNUMBER")
      #expect(!wanted.isEmpty)
      #expect(found.allSatisfy { $0.map(String.init) == wanted })
    }
  }

  @Test("equally relevant objects have the order of the request")
  func equalRelevance() throws {
    let stack = try SearchStack()
    try stack.with { context throws in
      for number in 1...9 { context.make("Note", ["number": number, "title": "kernel"]) }
      try context.save()
      let found = try ranked("kernel", in: context) {
        $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
      }
      #expect(found == Array((1...9).reversed()))
    }
  }

  @Test("an unsupported ranking throws an error that states the reason (D-385)")
  func unranked() throws {
    let stack = try SearchStack()
    try stack.with(isIndexed: false) { context throws in
      let error = #expect(throws: (any Error).self) { try ranked("a", in: context) }
      #expect("\(String(describing: error))".contains("OpenTextIndexOption"))
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = context
      child.performAndWait {
        let refused = #expect(throws: CocoaError.self) { try ranked("a", in: child) }
        #expect(refused?.code == .persistentStoreUnsupportedRequestType)
        #expect(refused?.localizedDescription.contains("child context") == true)
      }
    }
    try stack.with(type: NSInMemoryStoreType) { context throws in
      let refused = #expect(throws: CocoaError.self) { try ranked("a", in: context) }
      #expect(refused?.code == .persistentStoreUnsupportedRequestType)
      #expect(refused?.localizedDescription.contains("Only SQLite stores") == true)
    }
  }
}
