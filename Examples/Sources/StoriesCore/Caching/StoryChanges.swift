import Foundation
import SwiftData

/// What the store's history says of stories and pages since a place in it.
struct StoryChanges {
  /// The stories and pages that are not as they were.
  private(set) var touched: Set<PersistentIdentifier> = []
  /// Whether pages were added, which any story may have got.
  private(set) var addsPages = false
  /// The place behind the last transaction; nil if there was none.
  private(set) var token: DefaultHistoryToken?

  /// Reads the history behind a place.
  ///
  /// - Throws: `SwiftDataError.historyTokenExpired` when a part of it was deleted, and what else the fetch throws.
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

  /// The place behind the last transaction of the store; nil for one without history.
  static func currentToken(in context: ModelContext) throws -> DefaultHistoryToken? {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    descriptor.fetchLimit = 1
    return try context.fetchHistory(descriptor).first?.token
  }

  /// Whether a cached story may be another one now.
  func concern(_ story: CachedStory) -> Bool {
    addsPages || !touched.isDisjoint(with: story.identifiers)
  }
}

/// A story in a cache, with what it was made of and when.
struct CachedStory: Codable, Sendable {
  let value: StoryValue
  /// The identifiers of the story and its pages.
  let identifiers: Set<PersistentIdentifier>
  /// The place in the history before the story was read; nil for a store without history.
  let token: DefaultHistoryToken?

  init(_ story: Story, token: DefaultHistoryToken?) {
    value = StoryValue(story)
    identifiers = Set([story.persistentModelID] + story.pages.map(\.persistentModelID))
    self.token = token
  }
}
