public import Foundation

/// Which models a context is to find, and in what order.
///
/// > Reference: Apple, FetchDescriptor.
// Invariant of the unchecked conformance: predicates, sort descriptors and key paths are immutable.
public struct FetchDescriptor<T: PersistentModel>: @unchecked Sendable {
  /// Which models; nil for all.
  public var predicate: Predicate<T>?
  /// The order; without any, models come in no particular order.
  public var sortBy: [SortDescriptor<T>]
  /// At most how many; nil for all. Zero counts as nil.
  public var fetchLimit: Int?
  /// How many to leave out.
  public var fetchOffset: Int?
  /// Whether unsaved changes count: unsaved models are found, those to be deleted are not.
  public var includePendingChanges = true
  /// The properties that are read at once; none for all.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// The relationships whose destinations are read with the models.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
  /// Whether what no store can carry out runs in memory, on the models that the store finds; the fetch throws otherwise.
  ///
  /// > Reference: Addition.
  public var allowsEvaluationInMemory = true

  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
