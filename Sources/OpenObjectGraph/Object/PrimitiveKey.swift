internal import OpenObjectModel
internal import Synchronization

/// The key of a Swift property named `primitiveX`, which has one of two meanings.
///
/// If the entity has a property named `primitiveX`, the key refers to that property. Otherwise the
/// key refers to the primitive value of the property `x`. `@Managed` generates the keys. Do not use
/// this class directly.
public final class __PrimitiveKey: Sendable {
  private let own: __ManagedKey
  private let primitive: __ManagedKey
  /// The entity token (32 bits), and whether the entity has the property `primitiveX`; 0 before
  /// use.
  private let cache = Atomic<UInt64>(0)

  /// Creates the key of a Swift property.
  ///
  /// - Parameters:
  ///   - name: The name of the Swift property, such as `primitiveTitle`.
  ///   - property: The property, such as `title`, whose primitive value the Swift property accesses
  ///     if the entity itself does not have the property `primitiveTitle`.
  public init(_ name: String, of property: String) {
    own = __ManagedKey(name)
    primitive = __ManagedKey(property)
  }

  /// Returns the key that a getter uses to read the Swift property of an object.
  ///
  /// If the object's entity has a property with the name of the Swift property, the key refers to
  /// that property. Otherwise, the key refers to the primitive value.
  ///
  /// - Parameter object: The object to read.
  public func key(in object: NSManagedObject) -> __ManagedKey {
    isProperty(of: object) ? own : primitive
  }

  /// Calls a closure that sets the property of an object; the closure receives the key to use.
  ///
  /// If the key refers to a primitive value, the change neither marks the object as changed nor
  /// notifies observers.
  ///
  /// - Parameters:
  ///   - object: The object to change.
  ///   - change: The closure. Its argument is the key.
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
