public import SwiftData

/// The order of a list of stories.
public enum StoryOrder: String, Codable, CaseIterable, Sendable {
  /// The newest first.
  case newest
  /// The oldest first.
  case oldest
  /// By title, from A to Z.
  case title
  /// The most often read first.
  case mostRead
  /// The last read first; those that were never read come last.
  case lastRead
}

/// Which stories a list shows, and in what order.
public struct StoryQuery: Hashable, Sendable {
  /// Words that the title, the main character, the notes or a page has; empty for all stories. Case and accents do not count.
  public var search = ""
  /// Whether favourites only.
  public var favoritesOnly = false
  /// The theme; nil for all.
  public var theme: String?
  /// For whom the stories are; nil for everyone.
  public var ageGroup: AgeGroup?
  /// The collection; nil for all stories.
  public var collectionID: UUID?
  /// The order.
  public var order = StoryOrder.newest
  /// How many stories to leave out at the beginning.
  public var offset = 0
  /// At most how many stories; nil for all.
  public var limit: Int?

  /// Asks for all stories, the newest first.
  public init() {}

  /// What a context has to fetch.
  public var descriptor: FetchDescriptor<Story> {
    var descriptor = FetchDescriptor<Story>(predicate: predicate, sortBy: sorting)
    descriptor.fetchOffset = offset > 0 ? offset : nil
    // A limit of zero counts as none in a descriptor; no list asks for nothing.
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

  /// The order, which ends with the id, so that pages of a list never overlap.
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
  /// The stories made last.
  ///
  /// - Parameter limit: At most how many.
  public static func recentStories(limit: Int = 10) -> FetchDescriptor<Story> {
    var query = StoryQuery()
    query.limit = limit
    return query.descriptor
  }
}
