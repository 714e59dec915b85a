import Foundation
import SwiftData

/// The changes of stories and pages in the store's history after a token.
struct StoryChanges {
  /// The identifiers of the changed stories and pages.
  private(set) var touched: Set<PersistentIdentifier> = []
  /// Whether pages were added, which may belong to any story.
  private(set) var addsPages = false
  /// The token of the last transaction; nil if there was none.
  private(set) var token: DefaultHistoryToken?

  /// The maximum number of transactions after a position that are read to check a file. Reading a story takes less time than reading more
  /// transactions.
  private static let limit = 256

  /// Reads the history after a position; nil if too many transactions follow, or if the history does not contain the position.
  ///
  /// - Throws: `SwiftDataError.historyTokenExpired` if that part of the history was deleted, or another error of the fetch.
  init?(since position: HistoryPosition, in context: ModelContext) throws {
    let token = position.token
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      predicate: #Predicate { $0.token >= token })
    descriptor.fetchLimit = UInt64(Self.limit)
    let transactions = try context.fetchHistory(descriptor)
    guard transactions.count < Self.limit, transactions.first.map(HistoryPosition.init) == position
    else { return nil }
    for transaction in transactions.dropFirst() {
      for change in transaction.changes { note(change) }
      self.token = transaction.token
    }
  }

  /// Reads the history after a token.
  ///
  /// - Throws: `SwiftDataError.historyTokenExpired` if part of the history was deleted, or another error of the fetch.
  init(after token: DefaultHistoryToken?, in context: ModelContext) throws {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token { descriptor.predicate = #Predicate { $0.token > token } }
    for transaction in try context.fetchHistory(descriptor) {
      for change in transaction.changes { note(change) }
      self.token = transaction.token
    }
  }

  private mutating func note(_ change: HistoryChange) {
    let id = change.changedPersistentIdentifier
    guard id.entityName == "Story" || id.entityName == "Page" else { return }
    touched.insert(id)
    if case .insert = change, id.entityName == "Page" { addsPages = true }
  }

  /// Returns whether a cached story may be out of date.
  func concern(_ story: CachedStory) -> Bool {
    addsPages || !touched.isDisjoint(with: story.identifiers)
  }
}

/// A position in the store's history: a transaction.
struct HistoryPosition: Codable, Hashable, Sendable {
  let token: DefaultHistoryToken
  /// The date of the transaction. After a backup has replaced the library, another transaction can get the same token.
  let date: Date

  init(_ transaction: DefaultHistoryTransaction) {
    token = transaction.token
    date = transaction.timestamp
  }

  /// Returns the last position; nil if the history is empty.
  ///
  /// - Parameters:
  ///   - known: An earlier position, so that only later transactions are read; nil to read the whole history.
  ///   - context: A context of the store.
  static func last(
    after known: HistoryPosition?, in context: ModelContext
  ) throws -> HistoryPosition? {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let known {
      let token = known.token
      descriptor.predicate = #Predicate { $0.token > token }
      // If transactions after the position were deleted, the whole remaining history is read.
      if let later = try? context.fetchHistory(descriptor) {
        return later.last.map(HistoryPosition.init) ?? known
      }
      descriptor.predicate = nil
    }
    return try context.fetchHistory(descriptor).last.map(HistoryPosition.init)
  }
}

/// A story in a cache, with the identifiers of its rows and a position in the history.
struct CachedStory: Codable, Sendable {
  let value: StoryValue
  /// The identifiers of the story and its pages.
  let identifiers: Set<PersistentIdentifier>
  /// The last position in the history before the story was read; nil for a store without history.
  let position: HistoryPosition?

  init(_ story: Story, position: HistoryPosition?) {
    value = StoryValue(story)
    identifiers = Set([story.persistentModelID] + story.pages.map(\.persistentModelID))
    self.position = position
  }
}
