internal import OpenObjectModel
internal import Synchronization

/// One managed property of a class: its name, and where the entity last met keeps it.
///
/// The position is resolved once for each entity and remembered in one word, so that a property access is
/// a comparison and a load. Made by `@Managed`; not for use by hand.
public final class __ManagedKey: Sendable {
  public let name: String
  /// Entity token (32 bits), ordinal (16), byte offset (16); 0 before the first use.
  private let cache = Atomic<UInt64>(0)

  public init(_ name: String) { self.name = name }

  /// Where a property lies in the objects of one entity.
  struct Position {
    var ordinal: Int
    /// Offset in the packed row; 0 for properties that are not packed as the accessor's type.
    var offset: Int
  }

  /// The position in an object's entity; nil when the entity has no such property.
  ///
  /// - Parameter width: The bits of the accessor's integers; an attribute with more is not read where it is packed.
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
  /// Whether the packed slot holds the value itself, rather than an archive of it.
  var isPacked: Bool {
    guard let attribute else { return true }
    return attribute.type != .transformable && attribute.type != .composite
  }
}
