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

  /// Returns the token of the last transaction of the store; nil if the store has no history.
  static func currentToken(in context: ModelContext) throws -> DefaultHistoryToken? {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    descriptor.fetchLimit = 1
    return try context.fetchHistory(descriptor).first?.token
  }

  /// Returns whether a cached story may be out of date.
  func concern(_ story: CachedStory) -> Bool {
    addsPages || !touched.isDisjoint(with: story.identifiers)
  }
}

/// A story in a cache, with the identifiers of its rows and a history token.
struct CachedStory: Codable, Sendable {
  let value: StoryValue
  /// The identifiers of the story and its pages.
  let identifiers: Set<PersistentIdentifier>
  /// The history token before the story was read; nil for a store without history.
  let token: DefaultHistoryToken?

  init(_ story: Story, token: DefaultHistoryToken?) {
    value = StoryValue(story)
    identifiers = Set([story.persistentModelID] + story.pages.map(\.persistentModelID))
    self.token = token
  }
}
