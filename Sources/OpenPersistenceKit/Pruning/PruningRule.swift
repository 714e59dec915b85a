/// A rule that selects old objects of an entity for deletion.
///
/// > Concurrency: A value type; usable on any thread.
public struct PruningRule: Sendable, Hashable {
  /// The name of the entity. The rule also applies to objects of its subentities.
  public var entityName: String
  /// The key path of the date from which an object's age is measured, such as `lastRefresh` or
  /// `thread.lastRefresh`.
  ///
  /// Pruning keeps objects without a date.
  public var dateKeyPath: String
  /// The maximum age of objects, in seconds. Pruning deletes older objects. With an infinite age,
  /// pruning deletes objects only if the stores are too large.
  public var maximumAge: Double
  /// A condition for objects that the rule never deletes, such as `bookmarked == YES`; nil if there
  /// are no exceptions.
  ///
  /// The condition is in the predicate format language. The rule never deletes an object that a
  /// fetch with this predicate returns. For example, `bookmarked == YES` does not protect an object
  /// whose `bookmarked` is nil.
  public var exceptions: String?

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity.
  ///   - dateKeyPath: The key path of the date from which an object's age is measured, such as
  ///     `lastRefresh`.
  ///   - maximumAge: The maximum age of objects, in seconds; 30 days by default. With an infinite
  ///     age, pruning deletes objects only if the stores are too large.
  ///   - exceptions: A condition for objects that the rule never deletes, in the predicate format
  ///     language, such as `bookmarked == YES`; nil if there are no exceptions.
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

/// A report of the objects and transactions that pruning deleted.
///
/// > Concurrency: A value type; usable on any thread.
public struct PruningReport: Sendable, Hashable {
  /// The number of deleted objects of each entity, including objects deleted by delete rules, keyed
  /// by entity name. Entities without deleted objects are omitted.
  public var deletedCounts: [String: Int] = [:]
  /// The number of transactions deleted from the persistent history.
  public var deletedTransactionCount = 0
  /// The size, in bytes, of all writable SQLite stores without their history, before pruning. The
  /// value is nil if there is no such store.
  public var bytesBefore: Int64?
  /// The size, in bytes, of all writable SQLite stores without their history, after pruning. The
  /// value is nil if there is no such store.
  public var bytesAfter: Int64?
  /// The size, in bytes, of the persistent history of all writable SQLite stores, after pruning.
  /// The value is nil if there is no such store.
  public var historyBytesAfter: Int64?

  /// The number of deleted objects of all entities, including objects deleted by delete rules.
  public var deletedCount: Int { deletedCounts.values.reduce(0, +) }
}
