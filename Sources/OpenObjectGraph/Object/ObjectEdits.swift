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
/// Values are in an array indexed by how many edited ordinals are smaller. A reference in all but name: changes are
/// made in place, and a change that needs more room returns the edits to keep instead.
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

  private let storage: ManagedBuffer<Header, EditValue>

  /// Makes edits that hold one value.
  init(_ value: EditValue, for ordinal: Int) {
    self.init(storage: Self.makeStorage(capacity: 1))
    Self.insert(value, for: ordinal, into: storage)
  }

  private init(storage: ManagedBuffer<Header, EditValue>) { self.storage = storage }

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

  /// Sets the unsaved value of an ordinal, and returns the edits to keep.
  @inline(__always)
  func setting(_ value: EditValue, for ordinal: Int) -> ObjectEdits {
    let ordinals = storage.header.ordinals
    if ordinals.contains(ordinal) {
      storage.withUnsafeMutablePointerToElements { $0[ordinals.rank(of: ordinal)] = value }
      return self
    }
    return inserting(value, for: ordinal)
  }

  private func inserting(_ value: EditValue, for ordinal: Int) -> ObjectEdits {
    let count = storage.header.count
    let target = count < storage.capacity ? storage : moved(toCapacity: max(4, count * 2))
    Self.insert(value, for: ordinal, into: target)
    return ObjectEdits(storage: target)
  }

  private static func insert(
    _ value: EditValue, for ordinal: Int, into storage: ManagedBuffer<Header, EditValue>
  ) {
    storage.withUnsafeMutablePointers { header, values in
      let count = header.pointee.count
      let position = header.pointee.ordinals.rank(of: ordinal)
      if position < count {
        (values + position + 1).moveInitialize(from: values + position, count: count - position)
      }
      (values + position).initialize(to: value)
      header.pointee.ordinals.insert(ordinal)
      header.pointee.count = count + 1
    }
  }

  /// The same values in a larger allocation; this one is empty afterwards.
  private func moved(toCapacity capacity: Int) -> ManagedBuffer<Header, EditValue> {
    let larger = Self.makeStorage(capacity: capacity)
    storage.withUnsafeMutablePointers { oldHeader, oldValues in
      larger.withUnsafeMutablePointers { header, values in
        values.moveInitialize(from: oldValues, count: oldHeader.pointee.count)
        header.pointee = oldHeader.pointee
      }
      oldHeader.pointee = Header()
    }
    return larger
  }

  /// Forgets the unsaved value of an ordinal.
  func remove(_ ordinal: Int) {
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
