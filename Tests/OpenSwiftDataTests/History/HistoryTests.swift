import Foundation
import OpenSwiftData
import Testing

@Suite("Histories")
struct HistoryTests {
  private typealias Descriptor = HistoryDescriptor<DefaultHistoryTransaction>

  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  /// Saves one transaction for each title.
  @discardableResult
  private func save(_ titles: String..., by author: String? = nil) throws -> [Note] {
    context.author = author
    return try titles.map { title in
      let note = Note(title: title)
      context.insert(note)
      try context.save()
      return note
    }
  }

  private func fetch(
    _ predicate: Predicate<DefaultHistoryTransaction>? = nil
  ) throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(Descriptor(predicate: predicate))
  }

  // MARK: Transactions

  @Test("each save is one transaction, oldest first, with its author, store and program")
  func transactions() throws {
    try save("a", by: "importer")
    try save("b")
    let found = try fetch()
    #expect(found.map(\.author) == ["importer", nil])
    #expect(found.map(\.transactionIdentifier) == found.map(\.id))
    #expect(found[0].token < found[1].token)
    #expect(found[0].timestamp <= found[1].timestamp)
    #expect(Set(found).count == 2)
    let store = try #require(found.first?.storeIdentifier)
    #expect(found.allSatisfy { $0.storeIdentifier == store && $0.token.storeIdentifier == store })
    #expect(found[0].token.tokenValue == [store: found[0].id])
    #expect(!found[0].processIdentifier.isEmpty)
    #expect(!found[0].bundleIdentifier.isEmpty)
  }

  @Test("changes contain the model and the kind of change")
  func changes() throws {
    let note = try save("a")[0]
    let id = note.persistentModelID
    note.title = "b"
    try context.save()
    context.delete(note)
    try context.save()
    let changes = try fetch().flatMap(\.changes)
    #expect(changes.count == 3)
    #expect(changes.allSatisfy { $0.changedPersistentIdentifier == id })
    guard case .insert(let insert) = changes[0], case .update(let update) = changes[1],
      case .delete(let delete) = changes[2]
    else {
      Issue.record("The changes are \(changes).")
      return
    }
    #expect(insert is DefaultHistoryInsert<Note>)
    let typed = try #require(update as? DefaultHistoryUpdate<Note>)
    #expect(typed.updatedAttributes.map { $0 as PartialKeyPath<Note> } == [\Note.title])
    #expect(typed.containsAttribute(\.title))
    #expect(!typed.containsAttribute(\.count))
    #expect(delete is DefaultHistoryDelete<Note>)
  }

  // MARK: Predicates

  @Test("a predicate on the token finds later transactions")
  func behindToken() throws {
    try save("a", "b", "c")
    let token = try fetch()[0].token
    #expect(try fetch(#Predicate { $0.token > token }).count == 2)
    #expect(try fetch(#Predicate { token < $0.token }).count == 2)
    #expect(try fetch(#Predicate { $0.token >= token }).count == 3)
    #expect(try fetch(#Predicate { $0.token <= token }).count == 1)
    #expect(try fetch(#Predicate { !($0.token > token) }).count == 1)
  }

  @Test("a limited fetch reads page after page until it has found enough transactions")
  func limitAcrossPages() throws {
    for number in 0..<600 { try save("a", by: number.isMultiple(of: 100) ? "rare" : "common") }
    let all = try fetch()
    var descriptor = Descriptor(predicate: #Predicate { $0.author == "rare" })
    descriptor.fetchLimit = 5
    #expect(try context.fetchHistory(descriptor) == [0, 100, 200, 300, 400].map { all[$0] })
    descriptor.fetchLimit = 50
    #expect(try context.fetchHistory(descriptor).count == 6)
    let date = all[300].timestamp
    let later = all.filter { $0.timestamp > date }
    descriptor.predicate = #Predicate { $0.timestamp > date }
    descriptor.fetchLimit = 280
    #expect(try context.fetchHistory(descriptor) == Array(later.prefix(280)))
    descriptor = Descriptor()
    descriptor.fetchLimit = 599
    #expect(try context.fetchHistory(descriptor) == Array(all.dropLast()))
  }

  @Test("predicates combine tokens, authors, dates and stores")
  func combinations() throws {
    try save("a", by: "one")
    try save("b", by: "two")
    try save("c", by: "one")
    let all = try fetch()
    let (token, store, date) = (all[0].token, all[0].storeIdentifier, all[1].timestamp)
    #expect(try fetch(#Predicate { $0.author == "one" }) == [all[0], all[2]])
    #expect(try fetch(#Predicate { $0.token > token && $0.author == "one" }) == [all[2]])
    #expect(try fetch(#Predicate { $0.author == "two" || $0.token > token }) == [all[1], all[2]])
    #expect(try fetch(#Predicate { $0.storeIdentifier == store }) == all)
    #expect(try fetch(#Predicate { $0.storeIdentifier == "x" }).isEmpty)
    let expected = all.filter { $0.timestamp >= date }
    #expect(try fetch(#Predicate { $0.timestamp >= date }) == expected)
    #expect(try fetch(#Predicate { $0.timestamp > date }) == all.filter { $0.timestamp > date })
    #expect(
      try fetch(#Predicate { $0.timestamp > date && $0.token > token })
        == all.filter { $0.timestamp > date })
  }

  @Test("a limit selects the first transactions in the order")
  func limitAndOrder() throws {
    try save("a", "b", "c")
    var descriptor = Descriptor()
    descriptor.fetchLimit = 2
    #expect(try context.fetchHistory(descriptor).map(\.id) == [1, 2])
    descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
    #expect(try context.fetchHistory(descriptor).map(\.id) == [3, 2])
  }

  // MARK: Several stores

  /// The transactions of pages of two transactions after a page, until a page is empty.
  private func pages(
    after first: [DefaultHistoryTransaction], in context: ModelContext
  ) throws -> [DefaultHistoryTransaction] {
    var found = first
    var page = first
    // One more page than necessary is enough to detect the end of the pages.
    for _ in 0..<4 {
      guard let token = page.last?.token else { return found }
      var descriptor = Descriptor(predicate: #Predicate { $0.token > token })
      descriptor.fetchLimit = 2
      page = try context.fetchHistory(descriptor)
      found += page
    }
    Issue.record("The pages do not end.")
    return found
  }

  /// A context of two stores, with three transactions in each store.
  private func contextOfTwoStores() throws -> ModelContext {
    let context = ModelContext(
      try ModelContainer(
        for: Schema([Note.self, Keepsake.self]),
        configurations: ModelConfiguration(
          "notes", schema: Schema([Note.self]), isStoredInMemoryOnly: true),
        ModelConfiguration(
          "keepsakes", schema: Schema([Keepsake.self]), isStoredInMemoryOnly: true)))
    for title in ["a", "b", "c"] {
      context.insert(Note(title: title))
      try context.save()
      context.insert(Keepsake(title: title, kind: .letter))
      try context.save()
    }
    return context
  }

  @Test("an inclusive lower bound selects the transaction of the token and the later ones")
  func inclusiveBoundOfSeveralStores() throws {
    let context = try contextOfTwoStores()
    let all = try context.fetchHistory(Descriptor())
    for (place, transaction) in all.enumerated() {
      let token = transaction.token
      let found = try context.fetchHistory(Descriptor(predicate: #Predicate { $0.token >= token }))
      #expect(found == Array(all[place...]))
    }
  }

  @Test("an inclusive lower bound that is less than all tokens selects all transactions")
  func smallestInclusiveBound() throws {
    try save("a", "b")
    let store = try #require(try fetch().first?.storeIdentifier)
    let token = try JSONDecoder().decode(
      DefaultHistoryToken.self, from: JSONEncoder().encode(["tokenValue": [store: Int64.min]]))
    #expect(try fetch(#Predicate { $0.token >= token }).count == 2)
  }

  @Test("pages of the histories of several stores contain each transaction once")
  func severalStores() throws {
    let context = try contextOfTwoStores()
    let all = try context.fetchHistory(Descriptor())
    #expect(all.count == 6 && Set(all.map(\.storeIdentifier)).count == 2)
    var descriptor = Descriptor()
    descriptor.fetchLimit = 2
    #expect(try pages(after: context.fetchHistory(descriptor), in: context) == all)
    let date = all[1].timestamp
    descriptor = Descriptor(predicate: #Predicate { $0.timestamp > date })
    let later = all.filter { $0.timestamp > date }
    descriptor.fetchLimit = 1
    #expect(try pages(after: context.fetchHistory(descriptor), in: context) == later)
    // The tokens of different stores' transactions can be compared.
    let first = all[0].token
    let last = try #require(all.last?.token)
    #expect(first < last && !(last < first))
    #expect(last.tokenValue?.values.sorted() == [3, 3])
  }

  // MARK: Tokens

  @Test("an encoded token finds the same position")
  func coding() throws {
    try save("a", "b")
    let token = try fetch()[0].token
    let decoded = try JSONDecoder().decode(
      DefaultHistoryToken.self, from: JSONEncoder().encode(token))
    #expect(decoded == token)
    #expect(try fetch(#Predicate { $0.token > decoded }).count == 1)
  }

  @Test("a token after which history was deleted is expired")
  func expiration() throws {
    try save("a", "b", "c", "d")
    let all = try fetch()
    let (first, third) = (all[0].token, all[2].token)
    try context.deleteHistory(Descriptor(predicate: #Predicate { $0.token < third }))
    #expect(try fetch() == [all[2], all[3]])
    #expect(try fetch(#Predicate { $0.token > third }) == [all[3]])
    #expect(throws: SwiftDataError.historyTokenExpired) {
      try fetch(#Predicate { $0.token > first })
    }
  }

  @Test("a token of another store is expired")
  func foreignToken() throws {
    try save("a")
    let other = try HistoryTests()
    try other.save("b")
    let token = try other.fetch()[0].token
    #expect(throws: SwiftDataError.historyTokenExpired) {
      try fetch(#Predicate { $0.token > token })
    }
  }

  // MARK: Deleting

  @Test("a whole history can be deleted, and then continues")
  func deletion() throws {
    try save("a", "b")
    let last = try fetch()[1].token
    try context.deleteHistory(Descriptor())
    #expect(try fetch().isEmpty)
    try save("c")
    #expect(try fetch(#Predicate { $0.token > last }).map(\.id) == [3])
  }

  @Test("transactions in the middle of a history are not deleted")
  func gaps() throws {
    try save("a", by: "one")
    try save("b", by: "two")
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
      try context.deleteHistory(Descriptor(predicate: #Predicate { $0.author == "two" }))
    }
    #expect(try fetch().count == 2)
    try context.deleteHistory(Descriptor(predicate: #Predicate { $0.author == "one" }))
    #expect(try fetch().map(\.author) == ["two"])
  }

  // MARK: Other types

  private struct OtherTransaction: HistoryTransaction {
    struct Token: Comparable, Hashable, Identifiable, Sendable {
      let id = 0
      static func < (one: Token, other: Token) -> Bool { false }
    }

    let timestamp = Date.distantPast
    var changes: [HistoryChange] { [] }
    let token = Token()
    let transactionIdentifier = 0
    let storeIdentifier = ""
    let author: String? = nil
    let id = 0
  }

  @Test("transactions of an unsupported type cannot be fetched")
  func unknownType() throws {
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
      try context.fetchHistory(HistoryDescriptor<OtherTransaction>())
    }
  }
}
