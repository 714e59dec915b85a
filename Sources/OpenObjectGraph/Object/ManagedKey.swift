internal import OpenObjectModel
internal import Synchronization

/// The key of a managed property: the property's name and its cached position in an entity.
///
/// The key caches one position in a machine word: the property's position in the entity of the
/// object that was accessed last. If the next access is to an object of the same entity, finding
/// the position costs only a comparison and a load. Otherwise, the key resolves the position again.
/// `@Managed` generates the keys. Do not use this class directly.
public final class __ManagedKey: Sendable {
  /// The name of the property.
  public let name: String
  /// The entity token (32 bits), the ordinal (16) and the byte offset (16); 0 before the first use.
  private let cache = Atomic<UInt64>(0)

  /// Creates the key of the property with the given name.
  public init(_ name: String) { self.name = name }

  /// The position of a property in the objects of one entity.
  struct Position {
    var ordinal: Int
    /// The offset in the packed row; 0 if the property is not packed as the accessor's type.
    var offset: Int
  }

  /// Returns the position in an object's entity; nil if the entity has no such property.
  ///
  /// - Parameter width: The number of bits of the accessor's integer type. An attribute with more
  ///   bits is not read from the packed row.
  @inline(__always)
  func position(in object: NSManagedObject, as kind: SlotKind, width: Int = 64) -> Position? {
    let word = cache.load(ordering: .relaxed)
    if UInt32(truncatingIfNeeded: word &>> 32) == object.entityToken {
      return Position(
        ordinal: Int(truncatingIfNeeded: (word &>> 16) & 0xFFFF),
        offset: Int(truncatingIfNeeded: word & 0xFFFF))
    }
    return resolve(in: object, as: kind, width)
  }

  @inline(never)
  private func resolve(
    in object: NSManagedObject, as kind: SlotKind, _ width: Int
  ) -> Position? {
    guard let ordinal = object.compiledEntity.ordinal(of: name) else { return nil }
    let property = object.compiledEntity.properties[ordinal]
    var offset = 0
    if let slot = property.slot, property.isPacked,
      object.compiledEntity.slots[slot].kind == kind, property.byteOffset <= 0xFFFF,
      object.compiledEntity.slots[slot].domain.width <= width
    {
      offset = property.byteOffset
    }
    let word =
      UInt64(object.entityToken) << 32 | UInt64(ordinal & 0xFFFF) << 16 | UInt64(offset)
    cache.store(word, ordering: .relaxed)
    return Position(ordinal: ordinal, offset: offset)
  }
}

extension CompiledProperty {
  /// Whether the packed slot contains the value itself instead of an archive.
  var isPacked: Bool {
    guard let attribute else { return true }
    return attribute.type != .transformable && attribute.type != .composite
  }
}
