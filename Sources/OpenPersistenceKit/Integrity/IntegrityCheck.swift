internal import Foundation
public import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates

/// A check of stores that finds damage, and violations of the model and of the application's rules.
///
/// Examples of findings are dangling references, one-sided inverses, missing mandatory values,
/// values of the wrong type, violated uniqueness constraints, and missing files of external values.
/// ``IntegrityFinding/Kind`` lists all kinds. The check reads every row at least twice and changes
/// nothing. Do not save in other contexts during a check; otherwise, the check may compare rows
/// read before a save with rows read after the save.
///
/// ```swift
/// for finding in try IntegrityCheck().findings(in: context) { print("  - \(finding)") }
/// ```
///
/// > Concurrency: A value type; usable on any thread.
public struct IntegrityCheck: Sendable {
  /// The application's rules, which the check applies in addition to the model.
  public var rules: [Rule]

  /// A rule of the application: a condition that no object of an entity may satisfy.
  public struct Rule: Sendable, Hashable {
    /// The name of the entity. The rule also applies to its subentities.
    public var entityName: String
    /// The condition that no object may satisfy, in the predicate format language.
    public var violation: String
    /// A sentence that describes a violation. The check uses this sentence as the
    /// ``IntegrityFinding/message`` of its findings.
    public var message: String

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - violation: The condition that no object may satisfy, such as `album == nil`.
    ///   - message: A sentence that describes a violation.
    public init(entityName: String, violation: String, message: String) {
      self.entityName = entityName
      self.violation = violation
      self.message = message
    }
  }

  /// Creates a check.
  ///
  /// - Parameter rules: The application's rules, which the check applies in addition to the model;
  ///   empty for no rules.
  public init(rules: [Rule] = []) { self.rules = rules }

  /// Checks all stores of a context's coordinator.
  ///
  /// Call this method on the context's queue.
  ///
  /// The rules also apply to unsaved changes in the context. All other checks read saved data only.
  ///
  /// - Parameter context: A context with a coordinator.
  /// - Returns: All findings; empty for valid stores.
  /// - Throws: `CocoaError` 134060 if no store is open, or if a rule refers to an unknown entity or
  ///   property; `PredicateFormatError` if the condition of a rule cannot be parsed; another
  ///   `CocoaError` if a store cannot be read.
  public func findings(in context: NSManagedObjectContext) throws -> [IntegrityFinding] {
    try findings(inStoresOf: context.persistentStoreCoordinator)
      + rules.flatMap { try violations(of: $0, in: context) }
  }

  /// Checks all stores of a coordinator.
  ///
  /// - Parameter coordinator: A coordinator with stores.
  /// - Returns: All findings; empty for valid stores.
  /// - Throws: `CocoaError` 134060 if no store is open, or if a rule refers to an unknown entity or
  ///   property; `PredicateFormatError` if the condition of a rule cannot be parsed; another
  ///   `CocoaError` if a store cannot be read.
  public func findings(
    in coordinator: NSPersistentStoreCoordinator
  ) throws -> [IntegrityFinding] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try findings(in: context) }
  }

  private func findings(
    inStoresOf coordinator: NSPersistentStoreCoordinator?
  ) throws -> [IntegrityFinding] {
    // Without stores, nothing is checked, so an empty result would be misleading.
    guard let coordinator, !coordinator.persistentStores.isEmpty else {
      throw CocoaError(
        .coreData, userInfo: [NSLocalizedDescriptionKey: "There is no open store to check."])
    }
    return try coordinator.persistentStores.flatMap { store in
      try StoreCheck(store, of: coordinator).findings()
    }
  }

  private func violations(
    of rule: Rule, in context: NSManagedObjectContext
  ) throws -> [IntegrityFinding] {
    let request = NSFetchRequest<NSManagedObject>(entityName: rule.entityName)
    request.predicate = NSPredicate(format: rule.violation, argumentArray: [])
    return try context.fetch(request).map { object in
      IntegrityFinding(
        .ruleViolation, entityName: object.entity.name, objectID: object.objectID,
        message: rule.message)
    }
  }
}
