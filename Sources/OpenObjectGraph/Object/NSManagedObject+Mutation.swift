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
      ObservedKey(key, of: self), change(mutationKind, key, objects), in: self)
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
      ObservedKey(key, of: self), change(mutationKind, key, objects), in: self)
  }

  /// Returns the change that observers receive.
  private final func change(
    _ mutationKind: NSKeyValueSetMutationKind, _ key: String, _ objects: Set<AnyHashable>
  ) -> ObservedChange {
    if orderedRelationship(key) != nil { return .setting }
    let members = objects.compactMap { $0.base as? NSManagedObject }
    return switch mutationKind {
    case .union: .members(members, .insertion)
    case .minus: .members(members, .removal)
    // The members that leave are not known.
    case .intersect, .set: .setting
    }
  }

  /// Returns the ordinal of an ordered relationship; nil for any other key.
  private final func orderedRelationship(_ key: String) -> Int? {
    guard let ordinal = compiledEntity.ordinal(of: key),
      compiledEntity.properties[ordinal].relationship?.isOrdered == true
    else { return nil }
    return ordinal
  }

  // MARK: Ordered relationships

  /// Begins a change that primitive accessors make to an ordered relationship.
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
    guard let observers = changeObservers else { return }
    let hasLeaving = changeKind == .removal || changeKind == .replacement
    let how = ObservedChange(
      kind: changeKind, left: hasLeaving ? orderedMembers(key, at: indexes) : [],
      indexes: changeKind == .setting ? nil : indexes)
    observers.willChange(ObservedKey(key, of: self), how, in: self)
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
    guard let observers = changeObservers else { return }
    let hasArriving = changeKind == .insertion || changeKind == .replacement
    let how = ObservedChange(
      kind: changeKind, arrived: hasArriving ? orderedMembers(key, at: indexes) : [],
      indexes: changeKind == .setting ? nil : indexes)
    observers.didChange(ObservedKey(key, of: self), how, in: self)
  }

  /// Returns the members at the given indexes; indexes that do not exist are ignored.
  private final func orderedMembers(_ key: String, at indexes: IndexSet) -> [NSManagedObject] {
    let members = orderedRelationship(key).map { self.members($0) } ?? []
    return indexes.filter(members.indices.contains).map { members[$0] }
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
