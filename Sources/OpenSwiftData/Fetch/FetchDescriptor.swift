public import Foundation
internal import OpenObjectModel
public import OpenPredicates

/// The criteria, the order and the options of a fetch of models.
///
/// > Reference: Apple, FetchDescriptor.
// Invariant of the unchecked conformance: predicates, sort descriptors and key paths are immutable.
public struct FetchDescriptor<T: PersistentModel>: @unchecked Sendable {
  /// The condition that models must satisfy; `nil` for all models.
  // Not `Predicate<T>?`, which initializes the property with nil before each initializer.
  public var predicate: Optional<Predicate<T>>
  /// The sort order. If the array is empty, the models are in no particular order.
  public var sortBy: [SortDescriptor<T>]
  /// The maximum number of models; `nil`, 0 or a negative number for no limit.
  public var fetchLimit: Int?
  /// The number of models to skip; `nil`, 0 or a negative number to skip none.
  public var fetchOffset: Int?
  /// Whether the fetch considers unsaved changes in the context.
  ///
  /// If the value is `true`, the result includes inserted models and excludes deleted models. The
  /// predicate and the order then apply to the new values of changed models. If the value is
  /// `false`, stored values determine the result and its order. The fetched models still have their
  /// unsaved values.
  public var includePendingChanges = true
  /// The stored properties that the caller needs; empty by default.
  ///
  /// The key paths do not restrict a fetch, which always reads all properties of a model. If a key
  /// path does not refer to a stored property, the fetch throws
  /// `SwiftDataError.unsupportedKeyPath`.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// The relationships whose destinations the fetch also reads; empty to read no destinations.
  ///
  /// If a key path does not refer to a stored property, the fetch throws
  /// `SwiftDataError.unsupportedKeyPath`. If a key path refers to an attribute, the fetch throws
  /// `CocoaError` 134060.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
  /// Whether the fetch evaluates in memory the conditions and sort descriptors that a store cannot
  /// execute.
  ///
  /// For this evaluation, the fetch reads all models that satisfy the other conditions. If the
  /// value is `false` and the store cannot execute a condition or a sort descriptor, the fetch
  /// throws `SwiftDataError.unsupportedPredicate` or `.unsupportedSortDescriptor`.
  ///
  /// This is an addition to Apple's API.
  public var allowsEvaluationInMemory = true

  /// A full-text search of the attributes with the option `.spotlight`; `nil` for no search.
  ///
  /// The fetch returns the models that satisfy the predicate and match the search. If the store has
  /// no full-text index (see ``ModelConfiguration/indexesText``), the search reads every row. If
  /// the model has no attribute with the option `.spotlight`, the fetch throws `CocoaError` 134060.
  /// `Docs/FullTextSearch.md` describes the search.
  ///
  /// This is an addition to Apple's API.
  public var search: TextQuery?

  /// Creates a descriptor with a predicate and a sort order.
  ///
  /// - Parameters:
  ///   - predicate: The condition that models must satisfy; `nil` for all models.
  ///   - sortBy: The sort order. If the array is empty, the models are in no particular order.
  @inlinable
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

extension FetchDescriptor: Equatable {
  /// Returns whether two descriptors have equal predicates, sort orders and settings.
  ///
  /// Two predicates are equal if one is a copy of the other, or if their translations for stores
  /// are equal. A predicate that only Swift can evaluate, such as a predicate with a regular
  /// expression, is therefore equal only to its copies.
  ///
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
    // Each predicate has its own variable, which its copies share.
    if one.variable.key == other.variable.key { return true }
    let identifiers = ComparedIdentifiers()
    guard let one = try? translation(of: one, { identifiers.reference(to: $0) }),
      let other = try? translation(of: other, { identifiers.reference(to: $0) })
    else { return false }
    return one == other
  }

  /// Returns a predicate with references in place of the captured persistent identifiers.
  private static func translation(
    of predicate: Predicate<T>, _ reference: @escaping (PersistentIdentifier) -> Any
  ) throws(PredicateFormatError) -> NSPredicate {
    ModelKeys.areKnownToPredicates
    return try NSPredicate.fetching(
      predicate,
      captured: { value in
        guard let identifier = value as? PersistentIdentifier else { return value }
        return reference(identifier)
      },
      subject: { _ in nil })
  }
}

/// The references in place of the persistent identifiers in two predicates. Two references are
/// equal if their identifiers are equal.
private final class ComparedIdentifiers {
  private var numbers: [PersistentIdentifier: Int] = [:]

  func reference(to identifier: PersistentIdentifier) -> Any {
    let number = numbers[identifier] ?? numbers.count
    numbers[identifier] = number
    return UnknownIdentifier(number)
  }
}

extension FetchDescriptor: CustomStringConvertible {
  /// A string with the model type, the predicate in the form that stores execute, the order, the
  /// search and the limits.
  public var description: String { facts.text }

  /// The details that ``description`` and ``customMirror`` show.
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
    let translated = try? translation(of: predicate) { identifier in
      if case .object(let id) = identifier.form { return id }
      return UnknownIdentifier()
    }
    return translated?.canonicalFormat ?? "not supported by stores"
  }

  private var orderText: String {
    let order = sortBy.map { part in
      let name = part.keyPath.flatMap { ModelKeys.name(of: $0, in: T.self) } ?? "?"
      return part.order == .forward ? name : "\(name) descending"
    }
    return order.joined(separator: ", ")
  }
}
