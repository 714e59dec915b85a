import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenPredicates
import Testing

@Suite("Full-text prefix indexes")
struct TextPrefixTests {
  private static let name = "OpenCoreDataText_ZNOTE"
  private static let tokens = "tokenize='unicode61 remove_diacritics 2'"

  /// The index statements of a store opened with a model.
  private func statements(_ lengths: [String: Any]) throws -> [String] {
    let stack = try SearchStack()
    try stack.with(SearchStack.makeModel(prefixLengths: lengths)) { _ in }
    return try stack.sqlite(
      "SELECT sql FROM sqlite_master WHERE name LIKE 'OpenCoreDataText_%' "
        + "AND sql LIKE 'CREATE VIRTUAL%' ORDER BY name")
  }

  @Test("a table's statement contains the lengths of all searched attributes, each once")
  func statement() throws {
    let note = try statements(["title": "3, 2", "summary": 2, "body": "", "remark": "9"])
    #expect(note.count == 2)
    #expect(note.first?.hasSuffix(", \(Self.tokens), prefix='2 3')") == true)
    #expect(note.last?.hasSuffix(", \(Self.tokens))") == true)
    #expect(try statements(["name": [4]]).last?.hasSuffix("\(Self.tokens), prefix='4')") == true)
    #expect(try statements([:]).allSatisfy { $0.hasSuffix("\(Self.tokens))") })
  }

  @Test("the same objects are found with and without prefix indexes, in the same order")
  func results() throws {
    let plain = try SearchStack()
    let indexed = try SearchStack()
    let model = SearchStack.makeModel(prefixLengths: ["title": "1,2,3"])
    for text in [
      "k*", "K*", "ke*", "ker*", "kern*", "café*", "ca*", "\"the sch\"*", "\"corn*\"", "l* NOT k*",
      "ke* OR ca*", "p* ab*", "x*", "ü*", "mü*", "日*", "kernel",
    ] {
      let find = { (context: NSManagedObjectContext) throws -> [[Int]] in
        if try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 0 {
          context.makeNotes()
          context.make("Note", ["number": 6, "title": "日本語", "body": "Über Münster"])
          try context.save()
        }
        let query = TextQuery(text)
        let ranked = try context.fetch(
          NSFetchRequest<NSManagedObject>(entityName: "Note"), rankedBy: query)
        return [
          try context.numbers(NSPredicate(search: query)),
          try context.numbers(NSPredicate(search: query, in: "title")),
          ranked.compactMap { $0.value(forKey: "number") as? Int },
        ]
      }
      #expect(try indexed.with(model, find) == plain.with(SearchStack.makeModel(), find), "\(text)")
    }
    #expect(try indexed.isSound())
  }

  @Test("opening a store with the option creates the prefix lengths of its model")
  func changedLengths() throws {
    let stack = try SearchStack()
    let statement = "SELECT sql FROM sqlite_master WHERE name = '\(Self.name)'"
    try stack.with { context throws in
      context.makeNotes()
      try context.save()
    }
    for (lengths, ending) in [("2,3", ", prefix='2 3')"), ("2", ", prefix='2')"), ("", "2')")] {
      let model = SearchStack.makeModel(prefixLengths: ["body": lengths])
      let before = try stack.sqlite(statement)
      try stack.with(model, isIndexed: false) { context throws in
        #expect(try context.numbers("SELF CONTAINSWORDS 'ke*'") == [1, 2, 3, 4])
        #expect(stack.log.all.last?.contains("MATCH") == true)
      }
      #expect(try stack.sqlite(statement) == before)
      try stack.with(model) { context throws in
        #expect(try context.numbers("SELF CONTAINSWORDS 'ke*'") == [1, 2, 3, 4])
        let coordinator = try #require(context.persistentStoreCoordinator)
        let indexes = try coordinator.textIndexes(of: coordinator.persistentStores[0])
        let wanted = lengths.split(separator: ",").compactMap { Int($0) }
        #expect(indexes.map(\.prefixLengths) == [wanted, []])
      }
      #expect(try stack.sqlite(statement).first?.hasSuffix(ending) == true)
      #expect(try stack.isSound())
      let opened = stack.log.all.count
      try stack.with(model) { _ in }
      #expect(!stack.log.all[opened...].contains { $0.contains("'rebuild'") })
    }
  }

  @Test("saves and rebuilds keep a prefix index correct")
  func saving() throws {
    let stack = try SearchStack()
    let model = SearchStack.makeModel(prefixLengths: ["title": "2,3"])
    try stack.with(model) { context throws in
      context.makeNotes()
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "number == 1")
      for note in try context.fetch(request) { note.setValue("Penguin", forKey: "title") }
      try context.save()
      #expect(try context.numbers("SELF CONTAINSWORDS 'pe*'") == [1])
      #expect(try context.numbers("title CONTAINSWORDS 'ke*'") == [2])
      let coordinator = try #require(context.persistentStoreCoordinator)
      let store = coordinator.persistentStores[0]
      try coordinator.rebuildTextIndexes(of: store)
      #expect(try coordinator.damagedTextIndexes(of: store) == [])
      #expect(try coordinator.textIndexes(of: store).first?.prefixLengths == [2, 3])
      for note in try context.fetch(request) { context.delete(note) }
      try context.save()
      #expect(try context.numbers("SELF CONTAINSWORDS 'pe*'") == [])
    }
    #expect(try stack.isSound())
  }

  @Test(
    "invalid lengths are an error of the model",
    arguments: [
      "0", "1000", "2;3", "two", "-1", "2,,x",
      (1...32).map(String.init).joined(separator: ","),
    ])
  func unusableLengths(_ text: String) throws {
    let stack = try SearchStack()
    let error = #expect(throws: CocoaError.self) {
      try stack.with(SearchStack.makeModel(prefixLengths: ["title": text])) { _ in }
    }
    let cause = try #require(error?.userInfo["OpenModelError"] as? ModelError)
    #expect(cause.code == .unusablePrefixLengths)
    #expect((cause.entityName, cause.propertyName) == ("Note", "title"))
  }
}
