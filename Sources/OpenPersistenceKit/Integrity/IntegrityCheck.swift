internal import Foundation
public import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates

/// Checks whether stores satisfy their model.
///
/// A check reads saved data and finds dangling references, one-sided inverses, missing mandatory
/// values, violated uniqueness constraints, orphaned join rows, and missing or unused files of
/// external values. It works for every model, reads every row twice and changes nothing. Other
/// contexts should not save during a check, because incomplete changes may be reported.
///
/// ```swift
/// for finding in try IntegrityCheck().findings(in: context) { print("  - \(finding)") }
/// ```
///
/// > Concurrency: A value.
public struct IntegrityCheck: Sendable {
  /// The conditions of the application in addition to its model.
  public var rules: [Rule]

  /// A rule of the application, given as a condition that no object of an entity may satisfy.
  public struct Rule: Sendable, Hashable {
    /// The name of the entity. The rule also applies to its subentities.
    public var entityName: String
    /// The condition that an object must not satisfy, in the predicate format language.
    public var violation: String
    /// A sentence that describes an object violating the rule.
    public var message: String

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - violation: The condition that an object must not satisfy, such as `album == nil`.
    ///   - message: A sentence that describes an object violating the rule.
    public init(entityName: String, violation: String, message: String) {
      self.entityName = entityName
      self.violation = violation
      self.message = message
    }
  }

  /// Creates a check.
  ///
  /// - Parameter rules: The conditions of the application in addition to its model.
  public init(rules: [Rule] = []) { self.rules = rules }

  /// Checks the stores of a context. Call this method on the context's queue.
  ///
  /// The rules also apply to unsaved changes of the context; all other checks read saved data only.
  ///
  /// - Parameter context: A context with a coordinator.
  /// - Returns: All findings; empty for valid stores.
  /// - Throws: `CocoaError` if a store cannot be read, if no store is open, or if a rule refers to
  ///   an unknown entity or property.
  public func findings(in context: NSManagedObjectContext) throws -> [IntegrityFinding] {
    try findings(inStoresOf: context.persistentStoreCoordinator)
      + rules.flatMap { try violations(of: $0, in: context) }
  }

  /// Checks the stores of a coordinator.
  ///
  /// - Parameter coordinator: A coordinator with stores.
  /// - Returns: All findings; empty for valid stores.
  /// - Throws: `CocoaError` if a store cannot be read, if no store is open, or if a rule refers to
  ///   an unknown entity or property.
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
    // Without stores nothing was checked, which is not the same as nothing found.
    guard let coordinator, !coordinator.persistentStores.isEmpty else {
      throw CocoaError(
        .coreData, userInfo: [NSLocalizedDescriptionKey: "There is no open store to check."])
    }
    return try coordinator.persistentStores.flatMap { store in
      try StoreCheck(store, model: coordinator.model).findings()
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
