internal import OpenObjectModel
internal import Synchronization

/// The possible keys of a property named `primitiveX`: that property, or the primitive value of
/// `x`.
///
/// The model decides, because an attribute may also be named `primitiveX`. `@Managed` generates the
/// keys; do not use this class directly.
public final class __PrimitiveKey: Sendable {
  private let own: __ManagedKey
  private let primitive: __ManagedKey
  /// The entity token (32 bits), and whether the entity has a property of this name; 0 before use.
  private let cache = Atomic<UInt64>(0)

  /// Creates the key for a name and for the property whose primitive value the name may denote.
  public init(_ name: String, of property: String) {
    own = __ManagedKey(name)
    primitive = __ManagedKey(property)
  }

  /// Returns the key for reading an object.
  public func key(in object: NSManagedObject) -> __ManagedKey {
    isProperty(of: object) ? own : primitive
  }

  /// Calls a setter with the key for an object.
  ///
  /// A change of a primitive value is not tracked.
  ///
  /// - Parameters:
  ///   - object: The object to change.
  ///   - change: The setter.
  public func write(in object: NSManagedObject, _ change: (__ManagedKey) -> Void) {
    if isProperty(of: object) {
      change(own)
    } else {
      object.untracked { change(primitive) }
    }
  }

  private func isProperty(of object: NSManagedObject) -> Bool {
    let word = cache.load(ordering: .relaxed)
    if UInt32(truncatingIfNeeded: word &>> 32) == object.entityToken { return word & 1 != 0 }
    let isProperty = object.compiledEntity.ordinal(of: own.name) != nil
    let answer = UInt64(object.entityToken) << 32 | (isProperty ? 1 : 0)
    cache.store(answer, ordering: .relaxed)
    return isProperty
  }
}
