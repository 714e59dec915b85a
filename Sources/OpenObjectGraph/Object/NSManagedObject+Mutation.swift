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
    willChangeValue(forKey: key)
  }

  /// Ends a change of a to-many relationship made through primitive accessors: the object is marked as changed.
  ///
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, `didChangeValue(forKey:withSetMutation:using:)`.
  public final func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) {
    didChangeValue(forKey: key)
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
