public import OpenObjectGraph
internal import Foundation

/// A rule that resolves conflicts between the changes in a context and changed rows in the store.
public enum ConflictResolution {
  /// The row in the store wins. The context drops its changes to the conflicting objects.
  case newerVersion
  /// Changes are merged by property. If a property changed in both the context and the store, the
  /// store's value wins.
  case storedValues
  /// Changes are merged by property. If a property changed in both the context and the store, the
  /// context's value wins.
  case objectValues
  /// All values of the object in the context overwrite the row.
  case wholeObject
  /// A closure, called on the context's queue, resolves each conflict by changing the conflict's
  /// `sourceObject`. The changed values of this object then overwrite the values of the row.
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

/// A merge policy of a given type for version conflicts, which applies the context's own policy to
/// conflicts of uniqueness constraints.
// Invariant of the unchecked conformance: immutable.
private final class ResolvingPolicy: NSMergePolicy, @unchecked Sendable {
  private let constraintPolicy: NSMergePolicy

  init(_ type: NSMergePolicyType, constraintPolicy: NSMergePolicy) {
    self.constraintPolicy = constraintPolicy
    super.init(merge: type)
  }

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    // The context's own policy may override only `resolve(mergeConflicts:)`.
    try constraintPolicy.resolve(mergeConflicts: list)
  }
}

extension NSManagedObjectContext {
  /// Saves the context, and resolves version conflicts between the context and the store.
  ///
  /// After a version conflict, the method applies the resolution and saves again. Call this method
  /// on the context's queue.
  ///
  /// During the call, the context's merge policy resolves violations of uniqueness constraints, but
  /// not version conflicts. After the call, the context has the same merge policy as before.
  ///
  /// - Parameter resolution: The rule that resolves version conflicts.
  /// - Returns: The ids of the objects that had version conflicts; empty if there were none.
  /// - Throws: Any error that `save()` throws, except the version conflicts that the method
  ///   resolves. An error that combines several validation errors lists these errors under
  ///   `NSDetailedErrorsKey`. If the closure of ``ConflictResolution/custom(_:)`` throws an error,
  ///   the method throws the same error and saves nothing.
  @discardableResult
  public func saveWithConflictResolution(
    _ resolution: ConflictResolution = .newerVersion
  ) throws -> [NSManagedObjectID] {
    try ResolvingSave(of: self, resolution).run()
  }
}

/// A save of a context that is repeated after its conflicts have been resolved.
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

  /// - Returns: The ids of the objects with version conflicts.
  func run() throws -> [NSManagedObjectID] {
    defer { context.mergePolicy = policy }
    do {
      // The context's own policy could resolve version conflicts differently than the resolution.
      try save(.errorMergePolicyType)
      return []
    } catch let error as CocoaError where error.code == .managedObjectMerge {
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any] ?? []
      let versions = conflicts.compactMap { $0 as? NSMergeConflict }
      if versions.isEmpty { throw error }
      if case .custom(let settle) = resolution { try versions.forEach(settle) }
      try save(resolution.mergeType)
      return versions.map(\.sourceObject.objectID)
    }
  }

  /// Saves with a policy of the given type for version conflicts.
  private func save(_ type: NSMergePolicyType) throws {
    context.mergePolicy = ResolvingPolicy(
      type, constraintPolicy: policy as? NSMergePolicy ?? NSMergePolicy.error)
    try context.save()
  }
}
