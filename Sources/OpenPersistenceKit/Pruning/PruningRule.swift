/// A rule that selects old objects of an entity for deletion.
///
/// > Concurrency: A value.
public struct PruningRule: Sendable, Hashable {
  /// The name of the entity. The rule also applies to objects of its subentities.
  public var entityName: String
  /// The key path of the date that an object's age is measured from, such as `lastRefresh` or
  /// `thread.lastRefresh`.
  ///
  /// Objects without a date are kept.
  public var dateKeyPath: String
  /// The age, in seconds, from which objects are deleted.
  public var maximumAge: Double
  /// A condition for objects that are never deleted, such as `bookmarked == YES`; nil if there are
  /// no exceptions.
  ///
  /// The condition is in the predicate format language. It protects the objects that a fetch with
  /// this predicate returns, so an object whose `bookmarked` is nil is not protected.
  public var exceptions: String?

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity.
  ///   - dateKeyPath: The key path of the date that an object's age is measured from.
  ///   - maximumAge: The age, in seconds, from which objects are deleted; 30 days by default.
  ///   - exceptions: A condition for objects that are never deleted, in the predicate format
  ///     language; nil if there are no exceptions.
  public init(
    entityName: String, dateKeyPath: String, maximumAge: Double = 30 * 24 * 60 * 60,
    exceptions: String? = nil
  ) {
    self.entityName = entityName
    self.dateKeyPath = dateKeyPath
    self.maximumAge = maximumAge
    self.exceptions = exceptions
  }
}

/// The result of pruning.
///
/// > Concurrency: A value.
public struct PruningReport: Sendable, Hashable {
  /// The number of deleted objects by entity, including those deleted by delete rules.
  public var deletedCounts: [String: Int] = [:]
  /// The number of transactions deleted from the history.
  public var deletedTransactionCount = 0
  /// The size of the objects before pruning, in bytes; nil for in-memory stores.
  public var bytesBefore: Int64?
  /// The size of the objects after pruning, in bytes; nil for in-memory stores.
  public var bytesAfter: Int64?
  /// The size of the history after pruning, in bytes; nil for in-memory stores.
  public var historyBytesAfter: Int64?

  /// The number of deleted objects.
  public var deletedCount: Int { deletedCounts.values.reduce(0, +) }
}
