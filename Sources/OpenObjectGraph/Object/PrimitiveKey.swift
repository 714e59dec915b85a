internal import OpenObjectModel
internal import Synchronization

/// The keys that a property called `primitiveX` may stand for: a property of that name, else the primitive value of `x`.
///
/// The model decides, because an attribute may be called `primitiveX` too. Made by `@Managed`; not for use by hand.
public final class __PrimitiveKey: Sendable {
  private let own: __ManagedKey
  private let primitive: __ManagedKey
  /// Entity token (32 bits), and whether that entity has a property of the own name; 0 before the first use.
  private let cache = Atomic<UInt64>(0)

  public init(_ name: String, of property: String) {
    own = __ManagedKey(name)
    primitive = __ManagedKey(property)
  }

  /// The key to read with.
  public func key(in object: NSManagedObject) -> __ManagedKey {
    isProperty(of: object) ? own : primitive
  }

  /// Runs a setter: with the property itself, or without noting a change of the property that the primitive value is of.
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
