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
  ///
  /// - Parameter capacity: How many values there will be room for.
  init(_ value: EditValue, for ordinal: Int, capacity: Int = 1) {
    self.init(storage: Self.makeStorage(capacity: capacity))
    Self.insert(value, for: ordinal, into: storage)
  }

  private init(storage: ManagedBuffer<Header, EditValue>) { self.storage = storage }

  private static func makeStorage(capacity: Int) -> ManagedBuffer<Header, EditValue> {
    Storage.create(minimumCapacity: capacity) { _ in Header() }
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

  /// Sets the unsaved value of an ordinal that has one already.
  ///
  /// - Returns: false when it has none: nothing was set.
  @inline(__always)
  func replace(_ value: EditValue, for ordinal: Int) -> Bool {
    storage.withUnsafeMutablePointers { header, values in
      guard header.pointee.ordinals.contains(ordinal) else { return false }
      values[header.pointee.ordinals.rank(of: ordinal)] = value
      return true
    }
  }

  /// Sets the unsaved value of an ordinal that has none, and returns the edits to keep.
  func inserting(_ value: EditValue, for ordinal: Int) -> ObjectEdits {
    let count = storage.withUnsafeMutablePointerToHeader { $0.pointee.count }
    let target = count < storage.capacity ? storage : moved(toCapacity: max(4, count * 3))
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
