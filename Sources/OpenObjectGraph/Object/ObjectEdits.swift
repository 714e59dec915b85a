internal import Foundation
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

/// The unsaved values over an object's snapshot, in one allocation of their own size; none while there are none.
///
/// Values are in an array indexed by how many edited ordinals are smaller. The memory belongs to the object alone, so
/// that to look at a value, or to set one, counts no reference.
struct ObjectEdits: ~Copyable {
  private struct Header {
    var ordinals = OrdinalSet()
    // As small as that, so that header and first value fit into 64 bytes of the allocator.
    private var storedCount: UInt32 = 0
    private let storedCapacity: UInt32
    /// Whether any value is, or was, one that has no packed form yet.
    var hasBoxes = false

    init(capacity: Int) { storedCapacity = UInt32(truncatingIfNeeded: capacity) }

    var count: Int {
      @inline(__always) get { Int(storedCount) }
      @inline(__always) set { storedCount = UInt32(truncatingIfNeeded: newValue) }
    }
    /// How many values there is room for.
    var capacity: Int { @inline(__always) get { Int(storedCapacity) } }
  }

  private var header: UnsafeMutablePointer<Header>?

  deinit { Self.free(header) }

  /// Where the values behind a header are.
  @inline(__always)
  private static func values(
    behind header: UnsafeMutablePointer<Header>
  ) -> UnsafeMutablePointer<EditValue> {
    (UnsafeMutableRawPointer(header) + offset).assumingMemoryBound(to: EditValue.self)
  }

  /// Distance of the values from the header, which needs no greater alignment than they do.
  private static var offset: Int {
    let alignment = MemoryLayout<EditValue>.alignment
    return (MemoryLayout<Header>.size + alignment - 1) / alignment * alignment
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Header> {
    // Swift's own functions ask for an alignment, at the price of a slower allocator.
    guard let memory = malloc(offset + capacity * MemoryLayout<EditValue>.stride) else {
      preconditionFailure("There is no memory left for an unsaved value.")
    }
    return memory.initializeMemory(as: Header.self, to: Header(capacity: capacity))
  }

  private static func free(_ header: UnsafeMutablePointer<Header>?) {
    guard let header else { return }
    // One by one: most are plain numbers, and as an array they are all looked at by functions for any type.
    let values = values(behind: header)
    for position in 0..<header.pointee.count { (values + position).deinitialize(count: 1) }
    header.deinitialize(count: 1)
    Foundation.free(header)
  }

  /// Whether no property has an unsaved value.
  @inline(__always)
  var isEmpty: Bool {
    guard let header else { return true }
    return header.pointee.count == 0
  }

  /// Whether there may be values of transformable or transient attributes.
  @inline(__always)
  var mayHaveBoxes: Bool {
    guard let header else { return false }
    return header.pointee.hasBoxes
  }

  /// Ordinals that have an unsaved value.
  var ordinals: OrdinalSet { header?.pointee.ordinals ?? OrdinalSet() }

  @inline(__always)
  func contains(_ ordinal: Int) -> Bool {
    guard let header else { return false }
    return header.pointee.ordinals.contains(ordinal)
  }

  /// The unsaved value of an ordinal, nil when it has none.
  @inline(__always)
  subscript(ordinal: Int) -> EditValue? {
    guard let header, header.pointee.ordinals.contains(ordinal) else { return nil }
    return Self.values(behind: header)[header.pointee.ordinals.rank(of: ordinal)]
  }

  /// Sets the unsaved value of an ordinal.
  ///
  /// - Parameter capacity: How many values to make room for, where there is none yet.
  @inline(__always)
  mutating func set(
    _ value: __owned EditValue, for ordinal: Int, capacity: @autoclosure () -> Int
  ) {
    let header = self.header ?? Self.allocate(max(1, capacity()))
    self.header = header
    if case .boxed = value { header.pointee.hasBoxes = true }
    let position = header.pointee.ordinals.rank(of: ordinal)
    if header.pointee.ordinals.contains(ordinal) {
      Self.values(behind: header)[position] = value
      return
    }
    let place = header.pointee.count < header.pointee.capacity ? header : enlarge(header)
    Self.makeRoom(in: place, at: position).initialize(to: value)
    place.pointee.ordinals.insert(ordinal)
  }

  /// Moves the values from a position on up by one; the place that comes free is to be initialized.
  @inline(__always)
  private static func makeRoom(
    in header: UnsafeMutablePointer<Header>, at position: Int
  ) -> UnsafeMutablePointer<EditValue> {
    let place = values(behind: header) + position
    let count = header.pointee.count
    if position < count { (place + 1).moveInitialize(from: place, count: count - position) }
    header.pointee.count = count + 1
    return place
  }

  /// Moves the values to a larger allocation.
  private mutating func enlarge(
    _ old: UnsafeMutablePointer<Header>
  ) -> UnsafeMutablePointer<Header> {
    let count = old.pointee.count
    let new = Self.allocate(max(4, count * 3))
    Self.values(behind: new).moveInitialize(from: Self.values(behind: old), count: count)
    new.pointee.ordinals = old.pointee.ordinals
    new.pointee.count = count
    new.pointee.hasBoxes = old.pointee.hasBoxes
    old.pointee.count = 0
    Self.free(old)
    header = new
    return new
  }

  /// Forgets the unsaved value of an ordinal.
  mutating func remove(_ ordinal: Int) {
    guard let header, contains(ordinal) else { return }
    let count = header.pointee.count
    let place = Self.values(behind: header) + header.pointee.ordinals.rank(of: ordinal)
    let removed = place.move()
    let behind = Self.values(behind: header) + (count - 1) - place
    place.moveInitialize(from: place + 1, count: behind)
    header.pointee.ordinals.remove(ordinal)
    header.pointee.count = count - 1
    if count == 1 { removeAll() }
    // Letting go of a value may run code of others, which may set values: the edits are as they should be by then.
    withExtendedLifetime(removed) {}
  }

  /// Forgets all unsaved values.
  mutating func removeAll() {
    let old = header
    header = nil
    Self.free(old)
  }

  /// Calls `body` with each ordinal and its value, ascending; it must not use the edits.
  ///
  /// What a value refers to is not counted: the value is taken out and put back.
  @inline(__always)
  func forEachBorrowed<Failure>(
    _ body: (Int, borrowing EditValue) throws(Failure) -> Void
  ) throws(Failure) {
    guard let header else { return }
    if header.pointee.hasBoxes { return try forEach(in: copies(), body) }
    var place = Self.values(behind: header)
    let ordinals = header.pointee.ordinals
    try ordinals.forEach { (ordinal) throws(Failure) in
      let value = place.move()
      defer {
        place.initialize(to: value)
        place += 1
      }
      try body(ordinal, value)
    }
  }

  /// Calls `body` with each ordinal and its value, ascending; it must not change the edits.
  @inline(__always)
  func forEach<Failure>(
    _ body: (Int, EditValue) throws(Failure) -> Void
  ) throws(Failure) {
    guard let header else { return }
    if header.pointee.hasBoxes { return try forEach(in: copies(), body) }
    var value = Self.values(behind: header)
    let ordinals = header.pointee.ordinals
    try ordinals.forEach { (ordinal) throws(Failure) in
      try body(ordinal, value.pointee)
      value += 1
    }
  }

  /// The ordinals and their values, ascending.
  ///
  /// To pack a boxed value is to run code of the application, which may set properties: it finds no walk over the edits.
  private func copies() -> [(Int, EditValue)] {
    ordinals.members.compactMap { ordinal in self[ordinal].map { (ordinal, $0) } }
  }

  @inline(never)
  private func forEach<Failure>(
    in copies: [(Int, EditValue)], _ body: (Int, borrowing EditValue) throws(Failure) -> Void
  ) throws(Failure) {
    for (ordinal, value) in copies { try body(ordinal, value) }
  }
}
