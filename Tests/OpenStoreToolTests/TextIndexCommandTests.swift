import COpenSQLite
import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

@Suite("Searches and indexes of words on the command line")
struct TextIndexCommandTests {
  /// Three papers, without an index.
  private func papers(_ options: [String: Any] = [:]) throws -> Sample {
    let sample = try Sample()
    let paper = NSEntityDescription()
    paper.name = "Paper"
    paper.properties = ["title", "text"].map { name in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (
        name, .stringAttributeType, true
      )
      attribute.isIndexedBySpotlight = true
      attribute.userInfo = [OpenTextPrefixLengthsKey: "2,3"]
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [paper]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: sample.file, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { () throws in
      for text in ["the Linux kernel in a long text", "popcorn", "kernel kernel"] {
        try Sample.insert("Paper", into: context).setValue(text, forKey: "text")
      }
      try context.save()
    }
    try coordinator.remove(store)
    return sample
  }

  private func run(_ command: String, _ sample: Sample) throws -> ToolProcess {
    try ToolProcess("\"$TOOL\" \(command)", store: sample.file)
  }

  @Test("--search finds rows with and without an index, and --ranked requires one")
  func search() throws {
    let sample = try papers()
    let fetch = "fetch \"$1\" --entity Paper --format ndjson --search"
    #expect(try run("\(fetch) KERNEL", sample).output.split(separator: "\n").count == 2)
    #expect(try run("\(fetch) 'kernel NOT linux'", sample).output.contains("kernel kernel"))
    #expect(
      try run("\(fetch) kernel --where \"text BEGINSWITH 'the'\"", sample).output
        .split(separator: "\n").count == 1)
    let refused = try run("\(fetch) kernel --ranked", sample)
    #expect(refused.status == 3)
    #expect(refused.errors.contains("no text index for Paper"))
    #expect(try run("fetch \"$1\" --entity Paper --ranked", sample).status == 2)
    #expect(try run("text-index \"$1\" --make", sample).status == 0)
    let ranked = try run("\(fetch) kernel --ranked", sample)
    #expect(ranked.output.split(separator: "\n").first?.contains("kernel kernel") == true)
    #expect(
      try run("explain \"$1\" --entity Paper --search kernel", sample).output.contains("MATCH ?"))
  }

  @Test("a copy of a store has the store's text indexes")
  func copies() throws {
    let sample = try papers()
    #expect(try run("text-index \"$1\" --make", sample).status == 0)
    let copied = try run("copy \"$1\" \"$1.copy\"", sample)
    #expect(copied.status == 0, "\(copied.errors)")
    let indexes = try run("text-index \"$1.copy\" --check", sample)
    #expect(indexes.status == 0, "\(indexes.errors)")
    #expect(indexes.output.contains("agrees with the rows"))
  }

  @Test("explain explains a ranked search, also with a condition that an index could speed up")
  func rankedExplanation() throws {
    let sample = try papers()
    #expect(try run("text-index \"$1\" --make", sample).status == 0)
    let explain = "explain \"$1\" --entity Paper --search kernel --ranked"
    for options in ["", "--where 'title == nil'"] {
      let explained = try run("\(explain) \(options)", sample)
      #expect(explained.status == 0, "\(explained.errors)")
      #expect(explained.output.contains("ocd_relevance"))
    }
  }

  @Test(
    "an index is shown, checked and recreated, also in a store with a history",
    arguments: [true, false])
  func index(_ hasHistory: Bool) throws {
    let sample = try papers([NSPersistentHistoryTrackingKey: hasHistory])
    let before = try Data(contentsOf: sample.file)
    let none = try run("text-index \"$1\" --format json", sample)
    #expect((none.status, none.output) == (0, "[]\n"))
    #expect(try Data(contentsOf: sample.file) == before)
    let made = try run("text-index \"$1\" --make --format json", sample)
    #expect(made.errors == "")
    #expect(made.output.contains("ZPAPER"))
    #expect(made.output.contains("\"prefixes\":\"2 3\""))
    #expect(try run("text-index \"$1\" --check", sample).output.contains("agrees with the rows"))
    var database: OpaquePointer?
    try #require(sqlite3_open(sample.file.path, &database) == SQLITE_OK)
    sqlite3_exec(
      database, "INSERT INTO OpenCoreDataText_ZPAPER (rowid, ZTEXT) VALUES (1, 'other')", nil, nil,
      nil)
    sqlite3_close(database)
    let damaged = try run("text-index \"$1\" --check", sample)
    #expect(damaged.status == 1)
    #expect(damaged.output.contains("differs from the rows"))
    #expect(try run("text-index \"$1\" --rebuild", sample).output.contains("rebuilt"))
    #expect(try run("text-index \"$1\" --check", sample).status == 0)
    #expect(try run("verify \"$1\"", sample).status == 0)
    #expect(try run("text-index \"$1\" --check --make", sample).status == 2)
  }
}
