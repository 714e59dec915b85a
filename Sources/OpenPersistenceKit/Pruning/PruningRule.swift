/// Which objects of an entity may go, and when.
///
/// > Concurrency: A value.
public struct PruningRule: Sendable, Hashable {
  /// The entity; its sub-entities go with it.
  public var entityName: String
  /// The date that an object's age counts from, such as `lastRefresh` or `thread.lastRefresh`. Objects without it stay.
  public var dateKeyPath: String
  /// Seconds after which an object may go.
  public var maximumAge: Double
  /// A condition for objects that are never deleted, in the predicate format language, such as `bookmarked == YES`; nil for none.
  ///
  /// The objects are those that a fetch with this predicate returns, so an object whose `bookmarked` is nil is not protected.
  public var exceptions: String?

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - dateKeyPath: The date from which an object's age is measured.
  ///   - maximumAge: Seconds after which an object may be deleted; 30 days by default.
  ///   - exceptions: The objects that are never deleted, in the predicate format language; nil for none.
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
  /// Number of deleted objects by entity, those that delete rules took along included.
  public var deletedCounts: [String: Int] = [:]
  /// Number of transactions deleted from the history.
  public var deletedTransactionCount = 0
  /// Bytes of the objects before; nil for in-memory stores.
  public var bytesBefore: Int64?
  /// Bytes of the objects afterwards; nil for in-memory stores.
  public var bytesAfter: Int64?
  /// Bytes of the history afterwards; nil for in-memory stores.
  public var historyBytesAfter: Int64?

  /// Number of deleted objects.
  public var deletedCount: Int { deletedCounts.values.reduce(0, +) }
}
