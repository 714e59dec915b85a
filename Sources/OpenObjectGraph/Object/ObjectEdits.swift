internal import OpenPredicates
internal import OpenStoreContract

/// An unsaved value of one property.
enum EditValue {
  /// An attribute value, or `.null` for a relationship without destination.
  case value(Value)
  /// Destination of a to-one relationship, kept alive while the edit is pending.
  case object(NSManagedObject)
  /// A value that has no packed form before the save: transformable and transient attributes.
  case boxed(AnyBox)
}

/// Holds a value of any type behind one pointer.
final class AnyBox {
  let value: Any

  init(_ value: Any) { self.value = value }
}

/// The unsaved values over an object's snapshot, in one allocation of their own size.
///
/// Values are in an array indexed by how many edited ordinals are smaller.
struct ObjectEdits {
  private struct Header {
    var ordinals = OrdinalSet()
    var count = 0
  }

  private final class Storage: ManagedBuffer<Header, EditValue> {
    deinit {
      _ = withUnsafeMutablePointers { header, values in
        values.deinitialize(count: header.pointee.count)
      }
    }
  }

  private var storage: ManagedBuffer<Header, EditValue>

  /// Makes edits that hold one value.
  init(_ value: EditValue, for ordinal: Int) {
    storage = Self.makeStorage(capacity: 1)
    insert(value, for: ordinal)
  }

  private static func makeStorage(capacity: Int) -> ManagedBuffer<Header, EditValue> {
    Storage.create(minimumCapacity: capacity) { _ in Header() }
  }

  /// Ordinals that have an unsaved value.
  var ordinals: OrdinalSet { storage.header.ordinals }

  @inline(__always)
  func contains(_ ordinal: Int) -> Bool { storage.header.ordinals.contains(ordinal) }

  /// The unsaved value of an ordinal, nil when it has none.
  @inline(__always)
  subscript(ordinal: Int) -> EditValue? {
    let ordinals = storage.header.ordinals
    guard ordinals.contains(ordinal) else { return nil }
    return storage.withUnsafeMutablePointerToElements { $0[ordinals.rank(of: ordinal)] }
  }

  /// Sets the unsaved value of an ordinal.
  @inline(__always)
  mutating func set(_ value: EditValue, for ordinal: Int) {
    let ordinals = storage.header.ordinals
    if ordinals.contains(ordinal) {
      storage.withUnsafeMutablePointerToElements { $0[ordinals.rank(of: ordinal)] = value }
    } else {
      insert(value, for: ordinal)
    }
  }

  private mutating func insert(_ value: EditValue, for ordinal: Int) {
    let count = storage.header.count
    if count == storage.capacity { grow(to: max(4, count * 2)) }
    storage.withUnsafeMutablePointers { header, values in
      let position = header.pointee.ordinals.rank(of: ordinal)
      if position < count {
        (values + position + 1).moveInitialize(from: values + position, count: count - position)
      }
      (values + position).initialize(to: value)
      header.pointee.ordinals.insert(ordinal)
      header.pointee.count = count + 1
    }
  }

  private mutating func grow(to capacity: Int) {
    let larger = Self.makeStorage(capacity: capacity)
    storage.withUnsafeMutablePointers { oldHeader, oldValues in
      larger.withUnsafeMutablePointers { header, values in
        values.moveInitialize(from: oldValues, count: oldHeader.pointee.count)
        header.pointee = oldHeader.pointee
      }
      oldHeader.pointee = Header()
    }
    storage = larger
  }

  /// Forgets the unsaved value of an ordinal.
  mutating func remove(_ ordinal: Int) {
    guard contains(ordinal) else { return }
    storage.withUnsafeMutablePointers { header, values in
      let position = header.pointee.ordinals.rank(of: ordinal)
      let count = header.pointee.count
      (values + position).deinitialize(count: 1)
      (values + position).moveInitialize(
        from: values + position + 1, count: count - position - 1)
      header.pointee.ordinals.remove(ordinal)
      header.pointee.count = count - 1
    }
  }

  /// Calls `body` with each ordinal and its value, ascending.
  func forEach(_ body: (Int, EditValue) throws -> Void) rethrows {
    let ordinals = storage.header.ordinals
    var position = 0
    try ordinals.forEach { ordinal in
      let value = storage.withUnsafeMutablePointerToElements { $0[position] }
      position += 1
      try body(ordinal, value)
    }
  }
}
