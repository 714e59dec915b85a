public import OpenObjectGraph
internal import Foundation

/// The resolution of conflicts between a context's changes and changed rows in the store.
public enum ConflictResolution {
  /// The row in the store wins. The context's changes of conflicting objects are dropped.
  case newerVersion
  /// Changes are merged by property. If both sides changed a property, the store's value wins.
  case storedValues
  /// Changes are merged by property. If both sides changed a property, the object's value wins.
  case objectValues
  /// The object wins with all its values.
  case wholeObject
  /// A closure resolves each conflict by changing `sourceObject`, whose values then overwrite the
  /// row.
  case custom((NSMergeConflict) throws -> Void)

  /// The merge policy type that implements the resolution.
  var mergeType: NSMergePolicyType {
    switch self {
    case .newerVersion: .rollbackMergePolicyType
    case .storedValues: .mergeByPropertyStoreTrumpMergePolicyType
    case .objectValues, .custom: .mergeByPropertyObjectTrumpMergePolicyType
    case .wholeObject: .overwriteMergePolicyType
    }
  }
}

/// Resolves version conflicts with a resolution, and uniqueness conflicts with the context's own
/// policy.
// Invariant of the unchecked conformance: immutable.
private final class ResolvingPolicy: NSMergePolicy, @unchecked Sendable {
  private let constraintPolicy: NSMergePolicy

  init(_ resolution: ConflictResolution, constraintPolicy: NSMergePolicy) {
    self.constraintPolicy = constraintPolicy
    super.init(merge: resolution.mergeType)
  }

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    try constraintPolicy.resolve(constraintConflicts: list)
  }
}

extension NSManagedObjectContext {
  /// Saves the context. If there are conflicts with the store, the method applies the resolution
  /// and saves again.
  ///
  /// The context's merge policy does not change and is not used for version conflicts. As in every
  /// save, it resolves conflicts of uniqueness constraints.
  ///
  /// - Parameter resolution: The resolution of version conflicts.
  /// - Returns: The ids of the objects that had conflicts.
  /// - Throws: The same errors as `save()` except version conflicts. Several validation errors are
  ///   listed under `NSDetailedErrorsKey`. If a custom resolution throws, its error is thrown and
  ///   nothing is saved.
  @discardableResult
  public func saveWithConflictResolution(
    _ resolution: ConflictResolution = .newerVersion
  ) throws -> [NSManagedObjectID] {
    try ResolvingSave(of: self, resolution).run()
  }
}

/// A save of a context that resolves conflicts and is then repeated.
///
/// > Concurrency: Confined to the context's queue.
private struct ResolvingSave {
  private let context: NSManagedObjectContext
  private let resolution: ConflictResolution
  /// The context's own policy, which resolves conflicts of uniqueness constraints.
  private let policy: Any

  init(of context: NSManagedObjectContext, _ resolution: ConflictResolution) {
    self.context = context
    self.resolution = resolution
    policy = context.mergePolicy
  }

  /// - Returns: The ids of the objects with conflicts.
  func run() throws -> [NSManagedObjectID] {
    defer { context.mergePolicy = policy }
    // The contexts of a `PersistenceController` have a policy that would settle every conflict by itself.
    context.mergePolicy = NSErrorMergePolicy
    do {
      try context.save()
      return []
    } catch let error as CocoaError where error.code == .managedObjectMerge {
      return try saveAgain(after: error)
    } catch let error as CocoaError where error.code == .managedObjectConstraintMerge {
      context.mergePolicy = policy
      try context.save()
      return []
    }
  }

  private func saveAgain(after error: CocoaError) throws -> [NSManagedObjectID] {
    let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any] ?? []
    let versions = conflicts.compactMap { $0 as? NSMergeConflict }
    if versions.isEmpty { throw error }
    if case .custom(let settle) = resolution { try versions.forEach(settle) }
    context.mergePolicy = ResolvingPolicy(
      resolution, constraintPolicy: policy as? NSMergePolicy ?? NSMergePolicy.error)
    try context.save()
    return versions.map(\.sourceObject.objectID)
  }
}
