public import SwiftData

/// The order of a list of stories.
public enum StoryOrder: String, Codable, CaseIterable, Sendable {
  /// Newest first.
  case newest
  /// Oldest first.
  case oldest
  /// By title, from A to Z.
  case title
  /// Most frequently read first.
  case mostRead
  /// Most recently read first, with unread stories last.
  case lastRead
}

/// A query for the stories of a list, and their order.
public struct StoryQuery: Hashable, Sendable {
  /// Text to find in the title, the main character, the notes or a page, ignoring case and diacritics; empty for all stories.
  public var search = ""
  /// Whether the query finds only favourites.
  public var favoritesOnly = false
  /// The theme; nil for all.
  public var theme: String?
  /// The age group; nil for all.
  public var ageGroup: AgeGroup?
  /// The collection; nil for all stories.
  public var collectionID: UUID?
  /// The order.
  public var order = StoryOrder.newest
  /// The number of stories to skip at the beginning.
  public var offset = 0
  /// The maximum number of stories; nil for all.
  public var limit: Int?

  /// Creates a query for all stories, newest first.
  public init() {}

  /// The fetch descriptor of the query.
  public var descriptor: FetchDescriptor<Story> {
    var descriptor = FetchDescriptor<Story>(predicate: predicate, sortBy: sorting)
    descriptor.fetchOffset = offset > 0 ? offset : nil
    // A descriptor treats a limit of zero as no limit; no list requests zero stories.
    descriptor.fetchLimit = limit.map { max(1, $0) }
    return descriptor
  }

  private var predicate: Predicate<Story>? {
    conditions.reduce(nil) { whole, condition in
      guard let whole else { return condition }
      return Predicate { story in
        PredicateExpressions.build_Conjunction(
          lhs: PredicateExpressions.build_evaluate(whole, story),
          rhs: PredicateExpressions.build_evaluate(condition, story))
      }
    }
  }

  private var conditions: [Predicate<Story>] {
    var conditions: [Predicate<Story>] = []
    if !search.isEmpty { conditions.append(Self.mentions(search)) }
    if favoritesOnly { conditions.append(#Predicate { $0.isFavorite }) }
    if let theme { conditions.append(#Predicate { $0.theme == theme }) }
    if let ageGroup { conditions.append(#Predicate { $0.ageGroup == ageGroup }) }
    if let collectionID {
      conditions.append(#Predicate { $0.collections.contains { $0.id == collectionID } })
    }
    return conditions
  }

  private static func mentions(_ text: String) -> Predicate<Story> {
    #Predicate { story in
      story.title.localizedStandardContains(text)
        || story.mainCharacter.localizedStandardContains(text)
        || story.notes?.localizedStandardContains(text) == true
        || story.pages.contains { $0.text.localizedStandardContains(text) }
    }
  }

  /// The sort order, which ends with the id so that pages of a list never overlap.
  private var sorting: [SortDescriptor<Story>] {
    switch order {
    case .newest: [SortDescriptor(\.createdAt, order: .reverse), SortDescriptor(\.id)]
    case .oldest: [SortDescriptor(\.createdAt), SortDescriptor(\.id)]
    case .title: [SortDescriptor(\.title), SortDescriptor(\.id)]
    case .mostRead:
      [SortDescriptor(\.readCount, order: .reverse), SortDescriptor(\.title), SortDescriptor(\.id)]
    case .lastRead: [SortDescriptor(\.lastReadAt, order: .reverse), SortDescriptor(\.id)]
    }
  }
}

extension Story {
  /// Returns a descriptor for the most recent stories.
  ///
  /// - Parameter limit: The maximum number of stories.
  public static func recentStories(limit: Int = 10) -> FetchDescriptor<Story> {
    var query = StoryQuery()
    query.limit = limit
    return query.descriptor
  }
}
