import Foundation
import OpenSwiftData
import Testing

/// A class that was changed after a store was written, in a way that does not change the version
/// hash.
private enum Former {
  enum Kind: String, Codable { case bone, stone, coin }

  @Model final class Relic {
    @Attribute(.preserveValueOnDeletion) var title: String
    @Attribute(.preserveValueOnDeletion) var kind: Kind = Former.Kind.bone
    init(title: String) { self.title = title }
  }
}

private enum Present {
  enum Kind: String, Codable { case bone, stone }

  @Model final class Relic {
    @Attribute(.preserveValueOnDeletion) var title: String
    @Attribute(.preserveValueOnDeletion) var kind: Kind = Present.Kind.bone
    init(title: String) { self.title = title }
  }
}

@Suite("Tombstones")
struct TombstoneTests {
  private func tombstone(
    _ change: (Keepsake) -> Void = { _ in }
  ) throws -> HistoryTombstone<Keepsake> {
    let container = try ModelContainer(
      for: Keepsake.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let keepsake = Keepsake(title: "a", kind: .photo)
    keepsake.text = "not kept"
    change(keepsake)
    context.insert(keepsake)
    try context.save()
    context.delete(keepsake)
    try context.save()
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    guard case .delete(let delete)? = history.last?.changes.first,
      let typed = delete as? DefaultHistoryDelete<Keepsake>
    else { throw Missing() }
    return typed.tombstone
  }

  private struct Missing: Error {}

  @Test("preserved values are kept in their own types, other values are not")
  func values() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1000)
    let tombstone = try tombstone { keepsake in
      keepsake.origin = Keepsake.Origin(place: "Bath", year: 1811)
      keepsake.found = date
      keepsake.tags = ["x", "y"]
    }
    #expect(tombstone[\.title] as? String == "a")
    #expect(tombstone[\.kind] as? Keepsake.Kind == .photo)
    #expect(tombstone[\.origin] as? Keepsake.Origin == Keepsake.Origin(place: "Bath", year: 1811))
    #expect(tombstone[\.found] as? Date == date)
    #expect(tombstone[\.tags] as? [String] == ["x", "y"])
    #expect(tombstone[\.text] == nil)
    #expect(Array(tombstone).count == 5)
  }

  @Test("nil values are not in a tombstone")
  func nilValues() throws {
    let tombstone = try tombstone()
    #expect(tombstone[\.origin] == nil)
    #expect(tombstone[\.found] == nil)
    #expect(tombstone.first { $0 is String } as? String == "a")
  }

  @Test("values that can no longer be decoded are not in a tombstone")
  func unreadableValues() throws {
    let folder = try StoreFolder()
    try folder.with(Schema([Former.Relic.self])) { context in
      let relic = Former.Relic(title: "a")
      relic.kind = .coin
      context.insert(relic)
      try context.save()
      context.delete(relic)
      try context.save()
    }
    try folder.with(Schema([Present.Relic.self])) { context in
      let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      guard case .delete(let delete)? = history.last?.changes.first,
        let typed = delete as? DefaultHistoryDelete<Present.Relic>
      else { throw Missing() }
      #expect(typed.tombstone[\.title] as? String == "a")
      #expect(typed.tombstone[\.kind] == nil)
      #expect(Array(typed.tombstone).count == 1)
    }
  }

  @Test("a tombstone prints its values by property, and a history prints its numbers")
  func texts() throws {
    let tombstone = try tombstone()
    #expect("\(tombstone)".hasPrefix("HistoryTombstone<Keepsake> ("))
    #expect("\(tombstone)".contains("title: \"a\""), "\(tombstone)")
    let labels = Mirror(reflecting: tombstone).children.compactMap(\.label)
    #expect(labels.contains("title") && !labels.contains("values"), "\(labels)")
    let context = ModelContext(try Library.container())
    let book = Book(isbn: "1", title: "Dune")
    context.insert(book)
    context.author = "importer"
    try context.save()
    book.title = "Emma"
    try context.save()
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let first = try #require(history.first)
    #expect(first.description.contains("transactionIdentifier: 1; author: \"importer\""))
    #expect(first.description.hasSuffix("changes: 1 change)"), "\(first)")
    #expect(first.token.description.hasPrefix("DefaultHistoryToken ("))
    #expect(
      "\(first.changes)".contains("DefaultHistoryInsert<Book> (changedPersistentIdentifier: "))
    #expect(
      "\(history[1].changes)".contains("updatedAttributes: (\"title\")"), "\(history[1].changes)")
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    descriptor.fetchLimit = 3
    #expect("\(descriptor)" == "HistoryDescriptor<DefaultHistoryTransaction> (fetchLimit: 3)")
    let date = Date(timeIntervalSinceReferenceDate: 0)
    descriptor.predicate = #Predicate { $0.timestamp > date }
    #expect(descriptor.description.hasSuffix(" (predicate: set; fetchLimit: 3)"), "\(descriptor)")
  }

  @Test("a custom store can create tombstones")
  func making() {
    let tombstone = HistoryTombstone<Note>([(\.title, "a")])
    #expect(tombstone[\.title] as? String == "a")
    #expect(tombstone[\.count] == nil)
  }

  @Test("nil values are not in the tombstone of a custom store")
  func makingWithoutValue() {
    let tombstone = HistoryTombstone<Keepsake>([
      (\.found, Date?.none as any Sendable), (\.title, "a"),
    ])
    #expect(tombstone[\.found] == nil)
    #expect(Array(tombstone).count == 1)
  }
}
