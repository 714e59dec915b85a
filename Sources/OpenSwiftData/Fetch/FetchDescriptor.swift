public import Foundation
internal import OpenObjectModel
public import OpenPredicates

/// The models that a context fetches, and their order.
///
/// > Reference: Apple, FetchDescriptor.
// Invariant of the unchecked conformance: predicates, sort descriptors and key paths are immutable.
public struct FetchDescriptor<T: PersistentModel>: @unchecked Sendable {
  /// A filter; nil for all models.
  public var predicate: Predicate<T>?
  /// The sort order; if empty, models are returned in no particular order.
  public var sortBy: [SortDescriptor<T>]
  /// The maximum number of models; nil or zero for all.
  public var fetchLimit: Int?
  /// The number of models to skip.
  public var fetchOffset: Int?
  /// Whether unsaved changes are considered: inserted models are found, deleted models are not.
  public var includePendingChanges = true
  /// The properties to fetch; empty for all.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// The relationships whose destinations are read with the models.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
  /// Whether parts that no store can execute run in memory, on the models that the store selects; otherwise the fetch
  /// throws.
  ///
  /// > Reference: Addition.
  public var allowsEvaluationInMemory = true

  /// The query of a full-text search in the attributes with `.spotlight`, in addition to the predicate; nil for no
  /// search.
  ///
  /// ``ModelConfiguration/indexesText`` creates an index for it. See `Docs/FullTextSearch.md`.
  ///
  /// > Reference: Addition.
  public var search: TextQuery?

  @inlinable
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

extension FetchDescriptor: Equatable {
  /// Whether two descriptors are equal.
  ///
  /// Predicates are compared by their translation for stores; predicates that only Swift can evaluate, such as
  /// regular expressions, are never equal.
  ///
  /// - Returns: `true` if two descriptors are equal.
  /// > Reference: Apple, FetchDescriptor, ==(_:_:). Differs: D-393.
  public static func == (one: FetchDescriptor, other: FetchDescriptor) -> Bool {
    one.sortBy == other.sortBy && one.search == other.search && one.fetchLimit == other.fetchLimit
      && one.fetchOffset == other.fetchOffset
      && one.includePendingChanges == other.includePendingChanges
      && one.allowsEvaluationInMemory == other.allowsEvaluationInMemory
      && one.propertiesToFetch == other.propertiesToFetch
      && one.relationshipKeyPathsForPrefetching == other.relationshipKeyPathsForPrefetching
      && haveSameMeaning(one.predicate, other.predicate)
  }

  private static func haveSameMeaning(_ one: Predicate<T>?, _ other: Predicate<T>?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    ModelKeys.areKnownToPredicates
    // What cannot be fetched has no meaning to compare.
    guard let one = try? comparable(one), let other = try? comparable(other) else { return false }
    return one == other
  }

  /// A predicate with objects in place of captured identifiers.
  private static func comparable(
    _ predicate: Predicate<T>
  ) throws(PredicateFormatError) -> NSPredicate {
    try NSPredicate.fetching(
      predicate,
      captured: { value in
        guard let identifier = value as? PersistentIdentifier else { return value }
        if case .object(let id) = identifier.form { return id }
        return UnknownIdentifier(identifier.hashValue)
      },
      subject: { _ in nil })
  }
}

extension FetchDescriptor: CustomStringConvertible {
  /// The model, the predicate as stores execute it, the order and the limits.
  public var description: String { facts.text }

  /// What ``description`` and ``customMirror`` show.
  var facts: Facts<Self> {
    Facts(
      of: self,
      [
        "predicate": predicate.map { DebugText.Verbatim(Self.text(of: $0)) },
        "sortBy": sortBy.isEmpty ? nil : DebugText.Verbatim(orderText), "search": search?.text,
        "fetchLimit": fetchLimit, "fetchOffset": fetchOffset,
      ])
  }

  private static func text(of predicate: Predicate<T>) -> String {
    ModelKeys.areKnownToPredicates
    return (try? comparable(predicate))?.canonicalFormat ?? "not known to stores"
  }

  private var orderText: String {
    let order = sortBy.map { part in
      let name = part.keyPath.flatMap { ModelKeys.name(of: $0, in: T.self) } ?? "?"
      return part.order == .forward ? name : "\(name) descending"
    }
    return order.joined(separator: ", ")
  }
}
