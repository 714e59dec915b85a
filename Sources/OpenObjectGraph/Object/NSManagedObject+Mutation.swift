internal import OpenObjectModel

/// How a to-many relationship changes.
///
/// > Reference: Apple, `NSKeyValueSetMutationKind`, which Foundation has on Apple systems only.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Objects are added.
  case union = 1
  /// Objects are removed.
  case minus
  /// All but some objects are removed.
  case intersect
  /// The members become others.
  case set
}

extension NSManagedObject {
  /// Begins a change of a to-many relationship made through primitive accessors.
  ///
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, `willChangeValue(forKey:withSetMutation:using:)`.
  public final func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) {
    realizeIfNeeded()
    changeObservers?.willChange(
      ObservedKey(key, of: self), change(mutationKind, key), Self.members(objects), in: self)
  }

  /// Ends a change of a to-many relationship made through primitive accessors: the object is marked as changed.
  ///
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, `didChangeValue(forKey:withSetMutation:using:)`.
  public final func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) {
    if compiledEntity.ordinal(of: key) != nil { markChanged() }
    changeObservers?.didChange(
      ObservedKey(key, of: self), change(mutationKind, key), Self.members(objects), in: self)
  }

  /// The change that observers are told of.
  private final func change(_ mutationKind: NSKeyValueSetMutationKind, _ key: String)
    -> NSKeyValueChange
  {
    let ordinal = compiledEntity.ordinal(of: key)
    if ordinal.map({ compiledEntity.properties[$0].relationship?.isOrdered == true }) == true {
      return .setting
    }
    return switch mutationKind {
    case .union: .insertion
    case .minus: .removal
    // Which members leave is not said.
    case .intersect, .set: .setting
    }
  }

  private final class func members(_ objects: Set<AnyHashable>) -> [NSManagedObject] {
    objects.compactMap { $0.base as? NSManagedObject }
  }

  /// The value of a property by name, as `value(forKey:)` and `setValue(_:forKey:)` read and set it.
  ///
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, `subscript(key:)`.
  public final subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }
}
