public import Foundation
internal import OpenObjectModel

/// The kinds of change to a to-many relationship.
///
/// > Reference: Apple, `NSKeyValueSetMutationKind`, which Foundation has on Apple platforms only.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Adds the given objects.
  case union = 1
  /// Removes the given objects.
  case minus
  /// Removes all members except the given objects.
  case intersect
  /// Replaces all members with the given objects.
  case set
}

extension NSManagedObject {
  /// Begins a change that primitive accessors make to a to-many relationship.
  ///
  /// Call ``didChangeValue(forKey:withSetMutation:using:)`` after the change.
  ///
  /// - Parameters:
  ///   - key: The name of the relationship.
  ///   - mutationKind: The kind of change.
  ///   - objects: The objects to add, remove, keep or set.
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, `willChangeValue(forKey:withSetMutation:using:)`.
  public final func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) {
    realizeIfNeeded()
    changeObservers?.willChange(
      ObservedKey(key, of: self), .mutation(mutationKind, of: key, objects, in: self), in: self)
  }

  /// Ends a change that primitive accessors made to a to-many relationship, and marks the object as
  /// changed.
  ///
  /// - Parameters:
  ///   - key: The name of the relationship.
  ///   - mutationKind: The kind of change.
  ///   - objects: The objects that were added, removed, kept or set.
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, `didChangeValue(forKey:withSetMutation:using:)`.
  public final func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) {
    if compiledEntity.ordinal(of: key) != nil { markChanged() }
    changeObservers?.didChange(
      ObservedKey(key, of: self), .mutation(mutationKind, of: key, objects, in: self), in: self)
  }

  // MARK: Ordered relationships

  /// Begins a change that primitive accessors make to an ordered relationship.
  ///
  /// Call ``didChange(_:valuesAt:forKey:)`` after the change.
  ///
  /// - Parameters:
  ///   - changeKind: Whether members are inserted, removed or replaced.
  ///   - indexes: The new indexes of inserted members, or the current indexes of removed or
  ///     replaced members.
  ///   - key: The name of the relationship.
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, `willChange(_:valuesAt:forKey:)`.
  public final func willChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) {
    realizeIfNeeded()
    changeObservers?.willChange(
      ObservedKey(key, of: self), .beginning(changeKind, of: key, at: indexes, in: self), in: self)
  }

  /// Ends a change that primitive accessors made to an ordered relationship, and marks the object
  /// as changed.
  ///
  /// - Parameters:
  ///   - changeKind: The same value as in ``willChange(_:valuesAt:forKey:)``.
  ///   - indexes: The same value as in ``willChange(_:valuesAt:forKey:)``.
  ///   - key: The name of the relationship.
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, `didChange(_:valuesAt:forKey:)`.
  public final func didChange(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
  ) {
    if compiledEntity.ordinal(of: key) != nil { markChanged() }
    changeObservers?.didChange(
      ObservedKey(key, of: self), .end(changeKind, of: key, at: indexes, in: self), in: self)
  }

  /// The value of a property; nil for null.
  ///
  /// Reading calls ``value(forKey:)``, and writing calls ``setValue(_:forKey:)``.
  ///
  /// - Parameter key: The name of the property.
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, `subscript(key:)`.
  public final subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }
}

/// The changes that observers receive from primitive accessors.
extension ObservedChange {
  fileprivate static func mutation(
    _ kind: NSKeyValueSetMutationKind, of key: String, _ objects: Set<AnyHashable>,
    in owner: NSManagedObject
  ) -> ObservedChange {
    if ordinal(ofOrdered: key, in: owner) != nil { return .setting }
    let members = objects.compactMap { $0.base as? NSManagedObject }
    return switch kind {
    case .union: .members(members, .insertion)
    case .minus: .members(members, .removal)
    // The members that leave are not known.
    case .intersect, .set: .setting
    }
  }

  /// Returns the change of an ordered relationship before it happens, with the members that leave.
  fileprivate static func beginning(
    _ kind: NSKeyValueChange, of key: String, at indexes: IndexSet, in owner: NSManagedObject
  ) -> ObservedChange {
    let hasLeaving = kind == .removal || kind == .replacement
    return ObservedChange(
      kind: kind, left: hasLeaving ? present(key, at: indexes, in: owner) : [],
      indexes: kind == .setting ? nil : indexes)
  }

  /// Returns the change of an ordered relationship after it happened, with the members that
  /// arrived.
  fileprivate static func end(
    _ kind: NSKeyValueChange, of key: String, at indexes: IndexSet, in owner: NSManagedObject
  ) -> ObservedChange {
    let hasArriving = kind == .insertion || kind == .replacement
    return ObservedChange(
      kind: kind, arrived: hasArriving ? present(key, at: indexes, in: owner) : [],
      indexes: kind == .setting ? nil : indexes)
  }

  /// Returns the members at the given indexes; indexes that do not exist are ignored.
  private static func present(
    _ key: String, at indexes: IndexSet, in owner: NSManagedObject
  ) -> [NSManagedObject] {
    let members = ordinal(ofOrdered: key, in: owner).map { owner.members($0) } ?? []
    return indexes.filter(members.indices.contains).map { members[$0] }
  }

  /// Returns the ordinal of an ordered relationship; nil for any other key.
  private static func ordinal(ofOrdered key: String, in owner: NSManagedObject) -> Int? {
    guard let ordinal = owner.compiledEntity.ordinal(of: key),
      owner.compiledEntity.properties[ordinal].relationship?.isOrdered == true
    else { return nil }
    return ordinal
  }
}
