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
    /// How many values there is room for; the buffer itself would have to ask the allocator.
    var capacity = 0
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
  ///
  /// - Parameter capacity: How many values there will be room for.
  init(_ value: __owned EditValue, for ordinal: Int, capacity: Int = 1) {
    self.init(storage: Self.makeStorage(capacity: capacity))
    _ = set(value, for: ordinal)
  }

  private init(storage: ManagedBuffer<Header, EditValue>) { self.storage = storage }

  private static func makeStorage(capacity: Int) -> ManagedBuffer<Header, EditValue> {
    Storage.create(minimumCapacity: capacity) { _ in Header(capacity: capacity) }
  }

  // The header is read in place, by its pointer: as a property it would be copied, under a check at run time.

  /// Ordinals that have an unsaved value.
  var ordinals: OrdinalSet { storage.withUnsafeMutablePointerToHeader { $0.pointee.ordinals } }

  @inline(__always)
  func contains(_ ordinal: Int) -> Bool {
    storage.withUnsafeMutablePointerToHeader { $0.pointee.ordinals.contains(ordinal) }
  }

  /// The unsaved value of an ordinal, nil when it has none.
  @inline(__always)
  subscript(ordinal: Int) -> EditValue? {
    storage.withUnsafeMutablePointers { header, values in
      guard header.pointee.ordinals.contains(ordinal) else { return nil }
      return values[header.pointee.ordinals.rank(of: ordinal)]
    }
  }

  /// Sets the unsaved value of an ordinal where there is room.
  ///
  /// - Returns: false when there is none: nothing was set, and it can be set in ``enlarged()``.
  @inline(__always)
  func set(_ value: __owned EditValue, for ordinal: Int) -> Bool {
    // The pointers leave their closure, which would count the value twice; the storage outlives them.
    let (header, values) = storage.withUnsafeMutablePointers { ($0, $1) }
    defer { withExtendedLifetime(storage) {} }
    let position = header.pointee.ordinals.rank(of: ordinal)
    if header.pointee.ordinals.contains(ordinal) {
      values[position] = value
      return true
    }
    let count = header.pointee.count
    if count == header.pointee.capacity { return false }
    if position < count {
      (values + position + 1).moveInitialize(from: values + position, count: count - position)
    }
    (values + position).initialize(to: value)
    header.pointee.ordinals.insert(ordinal)
    header.pointee.count = count + 1
    return true
  }

  /// The same edits with room for more; these are empty afterwards.
  func enlarged() -> ObjectEdits {
    let count = storage.withUnsafeMutablePointerToHeader { $0.pointee.count }
    return ObjectEdits(storage: moved(toCapacity: max(4, count * 3)))
  }

  /// The same values in a larger allocation; this one is empty afterwards.
  private func moved(toCapacity capacity: Int) -> ManagedBuffer<Header, EditValue> {
    let larger = Self.makeStorage(capacity: capacity)
    storage.withUnsafeMutablePointers { oldHeader, oldValues in
      larger.withUnsafeMutablePointers { header, values in
        values.moveInitialize(from: oldValues, count: oldHeader.pointee.count)
        header.pointee.ordinals = oldHeader.pointee.ordinals
        header.pointee.count = oldHeader.pointee.count
      }
      oldHeader.pointee.ordinals = OrdinalSet()
      oldHeader.pointee.count = 0
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
  @inline(__always)
  func forEach<Failure>(
    _ body: (Int, EditValue) throws(Failure) -> Void
  ) throws(Failure) {
    let ordinals = ordinals
    var position = 0
    try ordinals.forEach { (ordinal) throws(Failure) in
      let value = storage.withUnsafeMutablePointerToElements { $0[position] }
      position += 1
      try body(ordinal, value)
    }
  }
}
