internal import Foundation
internal import OpenPredicates
internal import OpenStoreContract

/// An unsaved value of one property.
enum EditValue {
  /// An attribute value, or `.null` for a relationship without a destination.
  case value(Value)
  /// The destination of a to-one relationship, retained while the edit is pending.
  case object(NSManagedObject)
  /// A value that has no packed form before the save: transformable and transient attributes.
  case boxed(AnyBox)
}

/// The unsaved values over an object's snapshot, in one allocation of their exact size.
///
/// Without values, there is no allocation. The values are sorted by ordinal. The first ordinals are
/// also bits of a word, which shows how many edited ordinals are smaller. Only the object uses the
/// memory, so reading or setting a value retains nothing else.
struct ObjectEdits: ~Copyable {
  /// A value of one property; the ordinal uses the padding of the value.
  private struct Entry {
    var value: EditValue
    private let storedOrdinal: UInt32

    init(_ value: __owned EditValue, _ ordinal: Int) {
      self.value = value
      storedOrdinal = UInt32(truncatingIfNeeded: ordinal)
    }

    var ordinal: Int { @inline(__always) get { Int(storedOrdinal) } }
  }

  // Small enough that the header and the first value fit into 48 bytes of the allocator.
  private struct Header {
    /// A bit for each edited ordinal below ``Header/wordLimit``, and one for all other ordinals.
    var word: UInt64 = 0
    private var storedCount: UInt32 = 0
    private var capacityAndBoxes: UInt32

    static var wordLimit: Int { @inline(__always) get { 63 } }

    init(capacity: Int) { capacityAndBoxes = UInt32(truncatingIfNeeded: capacity) &<< 1 }

    var count: Int {
      @inline(__always) get { Int(storedCount) }
      @inline(__always) set { storedCount = UInt32(truncatingIfNeeded: newValue) }
    }
    /// The number of values for which there is room.
    var capacity: Int { @inline(__always) get { Int(capacityAndBoxes &>> 1) } }
    /// Whether any value has, or had, no packed form yet.
    var hasBoxes: Bool { @inline(__always) get { capacityAndBoxes & 1 != 0 } }

    mutating func noteBox() { capacityAndBoxes |= 1 }

    /// The bit of an ordinal.
    @inline(__always)
    static func bit(_ ordinal: Int) -> UInt64 { 1 &<< UInt64(min(ordinal, wordLimit)) }

    /// Returns the number of edited ordinals below the limit that are smaller than an ordinal.
    @inline(__always)
    func rank(of ordinal: Int) -> Int { (word & (Self.bit(ordinal) &- 1)).nonzeroBitCount }
  }

  private var header: UnsafeMutablePointer<Header>?

  deinit { Self.free(header) }

  /// Returns the address of the values behind a header, whose alignment is sufficient for them.
  @inline(__always)
  private static func entries(
    behind header: UnsafeMutablePointer<Header>
  ) -> UnsafeMutablePointer<Entry> {
    UnsafeMutableRawPointer(header + 1).assumingMemoryBound(to: Entry.self)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Header> {
    // Swift's own functions request an alignment, which makes the allocator slower.
    let size = MemoryLayout<Header>.stride + capacity * MemoryLayout<Entry>.stride
    guard let memory = malloc(size) else {
      preconditionFailure("There is not enough memory for an unsaved value.")
    }
    return memory.initializeMemory(as: Header.self, to: Header(capacity: capacity))
  }

  private static func free(_ header: UnsafeMutablePointer<Header>?) {
    guard let header else { return }
    // One by one: most values are plain numbers, and for an array, generic code visits each value.
    let entries = entries(behind: header)
    for position in 0..<header.pointee.count { (entries + position).deinitialize(count: 1) }
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

  /// The ordinals that have an unsaved value.
  var ordinals: OrdinalSet {
    var ordinals = OrdinalSet()
    guard let header else { return ordinals }
    let entries = Self.entries(behind: header)
    for position in 0..<header.pointee.count { ordinals.insert(entries[position].ordinal) }
    return ordinals
  }

  @inline(__always)
  func contains(_ ordinal: Int) -> Bool {
    guard let header else { return false }
    if ordinal < Header.wordLimit { return header.pointee.word & Header.bit(ordinal) != 0 }
    return Self.entry(of: ordinal, behind: header) != nil
  }

  /// The unsaved value of an ordinal; nil if there is none.
  @inline(__always)
  subscript(ordinal: Int) -> EditValue? {
    guard let header, let entry = Self.entry(of: ordinal, behind: header) else { return nil }
    return entry.pointee.value
  }

  /// Returns the address of the value of an ordinal; nil if there is none.
  @inline(__always)
  private static func entry(
    of ordinal: Int, behind header: UnsafeMutablePointer<Header>
  ) -> UnsafeMutablePointer<Entry>? {
    entry(of: ordinal, at: position(of: ordinal, behind: header), behind: header)
  }

  /// Returns the address of the value of an ordinal; nil if there is none.
  ///
  /// - Parameter position: The number of smaller edited ordinals.
  @inline(__always)
  private static func entry(
    of ordinal: Int, at position: Int, behind header: UnsafeMutablePointer<Header>
  ) -> UnsafeMutablePointer<Entry>? {
    let entry = entries(behind: header) + position
    guard position < header.pointee.count, entry.pointee.ordinal == ordinal else { return nil }
    return entry
  }

  /// Returns the number of edited ordinals that are smaller than an ordinal.
  @inline(__always)
  private static func position(
    of ordinal: Int, behind header: UnsafeMutablePointer<Header>
  ) -> Int {
    let rank = header.pointee.rank(of: ordinal)
    return ordinal < Header.wordLimit ? rank : position(of: ordinal, from: rank, behind: header)
  }

  @inline(never)
  private static func position(
    of ordinal: Int, from start: Int, behind header: UnsafeMutablePointer<Header>
  ) -> Int {
    let entries = entries(behind: header)
    var position = start
    while position < header.pointee.count, entries[position].ordinal < ordinal { position += 1 }
    return position
  }

  /// Sets the unsaved value of an ordinal.
  ///
  /// - Parameter capacity: The number of values to allocate room for, if there is no allocation
  ///   yet.
  @inline(__always)
  mutating func set(
    _ value: __owned EditValue, for ordinal: Int, capacity: @autoclosure () -> Int
  ) {
    let header = self.header ?? Self.allocate(max(1, capacity()))
    self.header = header
    if case .boxed = value { header.pointee.noteBox() }
    let position = Self.position(of: ordinal, behind: header)
    if let entry = Self.entry(of: ordinal, at: position, behind: header) {
      entry.pointee.value = value
      return
    }
    let place = header.pointee.count < header.pointee.capacity ? header : enlarge(header)
    Self.makeRoom(behind: place, at: position).initialize(to: Entry(value, ordinal))
    place.pointee.word |= Header.bit(ordinal)
  }

  /// Moves the values from a position on up by one; the caller initializes the free entry.
  @inline(__always)
  private static func makeRoom(
    behind header: UnsafeMutablePointer<Header>, at position: Int
  ) -> UnsafeMutablePointer<Entry> {
    let place = entries(behind: header) + position
    let count = header.pointee.count
    if position < count { (place + 1).moveInitialize(from: place, count: count - position) }
    header.pointee.count = count + 1
    return place
  }

  /// Moves the values to a larger allocation.
  @inline(never)
  private mutating func enlarge(
    _ old: UnsafeMutablePointer<Header>
  ) -> UnsafeMutablePointer<Header> {
    let count = old.pointee.count
    let new = Self.allocate(max(4, count * 3))
    Self.entries(behind: new).moveInitialize(from: Self.entries(behind: old), count: count)
    new.pointee.word = old.pointee.word
    new.pointee.count = count
    if old.pointee.hasBoxes { new.pointee.noteBox() }
    Foundation.free(old)
    header = new
    return new
  }

  /// Removes the unsaved value of an ordinal.
  mutating func remove(_ ordinal: Int) {
    guard let header, let place = Self.entry(of: ordinal, behind: header) else { return }
    let count = header.pointee.count
    let removed = place.move()
    let behind = Self.entries(behind: header) + (count - 1) - place
    place.moveInitialize(from: place + 1, count: behind)
    header.pointee.count = count - 1
    let isLastOfBit =
      ordinal < Header.wordLimit || header.pointee.rank(of: ordinal) == header.pointee.count
    if isLastOfBit { header.pointee.word &= ~Header.bit(ordinal) }
    if count == 1 { removeAll() }
    // Releasing a value may run application code that sets values, so the edits must be consistent
    // at this point.
    withExtendedLifetime(removed) {}
  }

  /// Removes the unsaved destinations, because objects that retain each other are never released.
  mutating func removeObjects() {
    for (ordinal, value) in copies() {
      if case .object = value { remove(ordinal) }
    }
  }

  /// Removes all unsaved values.
  mutating func removeAll() {
    let old = header
    header = nil
    Self.free(old)
  }

  /// Calls `body` with each ordinal and its value in ascending order; `body` must not use the
  /// edits.
  ///
  /// Each value is moved out and back in, so that its contents are not retained.
  @inline(__always)
  func forEachBorrowed<Failure>(
    _ body: (Int, borrowing EditValue) throws(Failure) -> Void
  ) throws(Failure) {
    guard let header else { return }
    if header.pointee.hasBoxes { return try forEach(in: copies(), body) }
    let entries = Self.entries(behind: header)
    for position in 0..<header.pointee.count {
      let ordinal = entries[position].ordinal
      // Only the value is moved, which is the first field of the entry. Taking it from a whole
      // entry would copy and retain it.
      let place = UnsafeMutableRawPointer(entries + position).assumingMemoryBound(
        to: EditValue.self)
      let value = place.move()
      defer { place.initialize(to: value) }
      try body(ordinal, value)
    }
  }

  /// Calls `body` with each ordinal and its value in ascending order.
  ///
  /// `body` must not change the edits.
  @inline(__always)
  func forEach<Failure>(
    _ body: (Int, EditValue) throws(Failure) -> Void
  ) throws(Failure) {
    guard let header else { return }
    if header.pointee.hasBoxes { return try forEach(in: copies(), body) }
    let entries = Self.entries(behind: header)
    for position in 0..<header.pointee.count {
      try body(entries[position].ordinal, entries[position].value)
    }
  }

  /// Returns the ordinals and their values in ascending order.
  ///
  /// Packing a boxed value runs application code, which may set properties. Copies ensure that no
  /// iteration over the edits is in progress then.
  private func copies() -> [(Int, EditValue)] {
    guard let header else { return [] }
    let entries = Self.entries(behind: header)
    return (0..<header.pointee.count).map { (entries[$0].ordinal, entries[$0].value) }
  }

  @inline(never)
  private func forEach<Failure>(
    in copies: [(Int, EditValue)], _ body: (Int, borrowing EditValue) throws(Failure) -> Void
  ) throws(Failure) {
    for (ordinal, value) in copies { try body(ordinal, value) }
  }
}
