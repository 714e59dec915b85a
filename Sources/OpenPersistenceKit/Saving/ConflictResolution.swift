public import OpenObjectGraph
internal import Foundation

/// The side that wins if a save has conflicts with changed rows.
public enum ConflictResolution {
  /// The newer version of a row, which is the store's: this context's changes of conflicting objects are dropped.
  case newerVersion
  /// Property by property; where both changed, the store's value.
  case storedValues
  /// Property by property; where both changed, the object's value.
  case objectValues
  /// The object's state as a whole.
  case wholeObject
  /// The closure resolves each conflict by changing `sourceObject`, whose values then overwrite the row.
  case custom((NSMergeConflict) throws -> Void)

  /// What carries it out.
  var mergeType: NSMergePolicyType {
    switch self {
    case .newerVersion: .rollbackMergePolicyType
    case .storedValues: .mergeByPropertyStoreTrumpMergePolicyType
    case .objectValues, .custom: .mergeByPropertyObjectTrumpMergePolicyType
    case .wholeObject: .overwriteMergePolicyType
    }
  }
}

/// Settles conflicts of versions by a resolution, and those of uniqueness constraints by the context's own policy.
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
  /// Saves; if there are conflicts with the store, applies the resolution and retries the save.
  ///
  /// The context's merge policy is not used for version conflicts, and is not changed. It resolves conflicts of
  /// uniqueness constraints as in every save.
  ///
  /// - Parameter resolution: The resolution of conflicts.
  /// - Returns: The ids of the objects with conflicts.
  /// - Throws: The same errors as `save()`, except version conflicts, with all validation errors under
  ///   `NSDetailedErrorsKey`; the error of a custom resolution, and nothing is saved then.
  @discardableResult
  public func saveWithConflictResolution(
    _ resolution: ConflictResolution = .newerVersion
  ) throws -> [NSManagedObjectID] {
    try ResolvingSave(of: self, resolution).run()
  }
}

/// One save of a context that settles conflicts by a resolution, and is tried again then.
///
/// > Concurrency: Confined to the context's queue.
private struct ResolvingSave {
  private let context: NSManagedObjectContext
  private let resolution: ConflictResolution
  /// The context's own policy, which settles conflicts of uniqueness constraints.
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
