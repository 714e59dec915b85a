import Foundation
import OpenCoreData
import Testing

@Suite("An explanation describes how a fetch would run")
struct FetchExplanationTests {
  @Test("a condition on an indexed attribute is a search by its index")
  func indexed() throws {
    let store = try NoteStore()
    try store.fill(3)
    let explanation = try store.explanation("title == 'title 1'")
    let part = try #require(explanation.stores.first)
    #expect(explanation.entityName == "Note")
    #expect(part.sql?.contains("WHERE t0.ZTITLE = ?") == true)
    #expect(part.indexes == ["Z_Note_byTitle"])
    #expect(part.fullScans.isEmpty)
    #expect(part.candidateCount == 3)
    #expect(part.bindings == nil)
    #expect(explanation.suggestions.isEmpty)
    #expect(explanation.findings.isEmpty)
  }

  @Test("nothing is fetched, and only counts are reported as statements")
  func runsNothing() throws {
    let store = try NoteStore()
    try store.fill(3)
    store.recorder.removeAll()
    _ = try store.explanation("body == 'x'")
    #expect(store.recorder.all.allSatisfy { $0.hasPrefix("SELECT COUNT(*)") })
  }

  @Test("values are included only on request")
  func bindings() throws {
    let store = try NoteStore()
    try store.fill(1)
    let format = "body == 'hush' AND rank IN {1, 2} AND price > 1.5"
    #expect(!(try store.explanation(format)).description.contains("hush"))
    let shown = try store.explanation(format, showsBindings: true)
    let bindings = try #require(shown.stores.first?.bindings)
    #expect(bindings.contains("'hush'"))
    #expect(bindings.contains("1.5"))
    #expect(shown.description.contains("hush"))
  }

  @Test("long values are truncated")
  func longBindings() throws {
    let store = try NoteStore()
    let explanation = try store.explanation(showsBindings: true) {
      $0.predicate = NSPredicate(format: "body == %@", String(repeating: "x", count: 1 << 20))
    }
    #expect(explanation.stores.first?.bindings?.first?.count ?? 0 < 300)
  }

  @Test("ids, counts and dictionaries have explanations of their own statements")
  func resultTypes() throws {
    let store = try NoteStore()
    try store.fill(2)
    let ids = try store.explanation("rank > 0") { $0.resultType = .managedObjectIDResultType }
    #expect(ids.stores.first?.sql?.hasPrefix("SELECT t0.Z_PK FROM") == true)
    let count = try store.explanation("rank > 0") { $0.resultType = .countResultType }
    #expect(count.stores.first?.sql?.hasPrefix("SELECT COUNT(*) FROM") == true)
    let dictionaries = try store.explanation("rank > 0") {
      $0.resultType = .dictionaryResultType
      $0.propertiesToFetch = ["title"]
      $0.propertiesToGroupBy = ["title"]
    }
    #expect(dictionaries.stores.first?.sql?.hasPrefix("SELECT t0.ZTITLE FROM") == true)
    #expect(dictionaries.stores.first?.sql?.contains("GROUP BY") == true)
  }

  @Test("the plan is a tree, with the steps of a subquery inside")
  func tree() throws {
    let store = try NoteStore()
    let explanation = try store.explanation("ANY tags.word == 'x'")
    let plan = try #require(explanation.stores.first?.plan)
    #expect(plan.contains { !$0.steps.isEmpty })
  }

  @Test("a part that runs in memory has a reason, and includes its text only with values")
  func inMemory() throws {
    let store = try NoteStore()
    try store.fill(2)
    let request: (NSFetchRequest<NSManagedObject>) -> Void = {
      $0.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSPredicate(format: "rank > 0"), NSPredicate(format: "ANYKEY == 'hush'"),
      ])
      $0.fetchLimit = 1
    }
    let explanation = try store.explanation(nil, request)
    #expect(explanation.inMemory.map(\.kind) == [.predicate])
    #expect(explanation.inMemory.first?.reason.isEmpty == false)
    #expect(explanation.inMemory.first?.predicate == nil)
    #expect(explanation.stores.first?.sql?.contains("ZRANK") == true)
    #expect(explanation.stores.first?.sql?.contains("LIMIT") == false)
    #expect(explanation.suggestions.contains { $0.contains("in memory for every row") })
    #expect(
      explanation.suggestions.contains { $0.hasPrefix("The limit applies after the evaluation") })
    #expect(explanation.findings.count == 1)
    let shown = try store.explanation(nil, showsBindings: true, request)
    #expect(shown.inMemory.first?.predicate?.contains("hush") == true)
  }

  @Test("blocks and comparators run in memory")
  func blocks() throws {
    let store = try NoteStore()
    let explanation = try store.explanation {
      $0.predicate = NSPredicate { _, _ in true }
      $0.sortDescriptors = [
        NSSortDescriptor(key: "rank", ascending: true) { _, _ in .orderedSame }
      ]
    }
    #expect(Set(explanation.inMemory.map(\.kind)) == [.predicate, .sort])
  }

  @Test("unsaved changes remove the limit, and turn ids and counts into objects")
  func pendingChanges() throws {
    let store = try NoteStore()
    try store.fill(1)
    let change: (NSFetchRequest<NSManagedObject>) -> Void = {
      $0.resultType = .countResultType
      $0.fetchLimit = 1
    }
    #expect(!(try store.explanation(nil, change)).includesPendingChanges)
    store.context.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: store.context)
    }
    let explanation = try store.explanation(nil, change)
    #expect(explanation.includesPendingChanges)
    #expect(explanation.stores.first?.sql?.contains("ZTITLE") == true)
    #expect(explanation.suggestions.contains { $0.hasPrefix("The limit applies") })
    let without = try store.explanation(nil) {
      change($0)
      $0.includesPendingChanges = false
    }
    #expect(!without.includesPendingChanges)
  }

  @Test("an in-memory store visits every row")
  func memoryStore() throws {
    let store = try NoteStore(NSInMemoryStoreType)
    try store.fill(3)
    let explanation = try store.explanation("title == 'x'")
    let part = try #require(explanation.stores.first)
    #expect(part.sql == nil)
    #expect(part.plan.map(\.text) == ["visits every row of Note"])
    #expect(part.candidateCount == 3)
    #expect(part.fullScans.map(\.rowCount) == [3])
  }

  @Test("an explanation can be encoded, decoded and printed line by line")
  func codable() throws {
    let store = try NoteStore()
    let explanation = try store.explanation("ANY tags.word == 'x' AND body == 'y'")
    let data = try JSONEncoder().encode(explanation)
    #expect(try JSONDecoder().decode(FetchExplanation.self, from: data) == explanation)
    let text = explanation.description
    #expect(text.hasPrefix("Fetch of Note\n"))
    #expect(text.contains("SQL: SELECT"))
    #expect(text.contains("Full scan: ZNOTE, 0 rows"))
  }

  @Test("invalid requests throw the same error as a fetch")
  func errors() throws {
    let store = try NoteStore()
    for format in ["nothing == 1", "(rank", "rank == 'x'"] {
      #expect(throws: (any Error).self) { try store.explanation(format) }
    }
    #expect(throws: (any Error).self) {
      try store.explanation("ANYKEY == 1") { $0.allowsEvaluationInMemory = false }
    }
    store.context.performAndWait {
      _ = #expect(throws: CocoaError.self) {
        try store.context.explanation(of: NSFetchRequest<NSManagedObject>(entityName: "None"))
      }
    }
  }
}
