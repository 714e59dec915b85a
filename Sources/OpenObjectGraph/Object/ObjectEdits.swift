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

/// The unsaved values over an object's snapshot, in one allocation of their exact size; none while there are none.
///
/// Values are ascending by ordinal; the first ordinals are in a word as well, whose bits tell how many edited ones are
/// smaller. The memory belongs to the object alone, so reading or setting a value does not retain anything.
struct ObjectEdits: ~Copyable {
  /// A value of one property; the ordinal lies in what would be the value's padding.
  private struct Entry {
    var value: EditValue
    private let storedOrdinal: UInt32

    init(_ value: __owned EditValue, _ ordinal: Int) {
      self.value = value
      storedOrdinal = UInt32(truncatingIfNeeded: ordinal)
    }

    var ordinal: Int { @inline(__always) get { Int(storedOrdinal) } }
  }

  // As small as this, so that header and first value fit into 48 bytes of the allocator.
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
    /// How many values there is room for.
    var capacity: Int { @inline(__always) get { Int(capacityAndBoxes &>> 1) } }
    /// Whether any value is, or was, one that has no packed form yet.
    var hasBoxes: Bool { @inline(__always) get { capacityAndBoxes & 1 != 0 } }

    mutating func noteBox() { capacityAndBoxes |= 1 }

    /// The bit of an ordinal.
    @inline(__always)
    static func bit(_ ordinal: Int) -> UInt64 { 1 &<< UInt64(min(ordinal, wordLimit)) }

    /// How many edited ordinals below the limit are smaller than an ordinal.
    @inline(__always)
    func rank(of ordinal: Int) -> Int { (word & (Self.bit(ordinal) &- 1)).nonzeroBitCount }
  }

  private var header: UnsafeMutablePointer<Header>?

  deinit { Self.free(header) }

  /// Where the values behind a header are; it needs no greater alignment than they do.
  @inline(__always)
  private static func entries(
    behind header: UnsafeMutablePointer<Header>
  ) -> UnsafeMutablePointer<Entry> {
    UnsafeMutableRawPointer(header + 1).assumingMemoryBound(to: Entry.self)
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Header> {
    // Swift's own functions ask for an alignment, at the price of a slower allocator.
    let size = MemoryLayout<Header>.stride + capacity * MemoryLayout<Entry>.stride
    guard let memory = malloc(size) else {
      preconditionFailure("There is no memory left for an unsaved value.")
    }
    return memory.initializeMemory(as: Header.self, to: Header(capacity: capacity))
  }

  private static func free(_ header: UnsafeMutablePointer<Header>?) {
    guard let header else { return }
    // One by one: most are plain numbers, and as an array they are all looked at by functions for any type.
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

  /// Ordinals that have an unsaved value.
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

  /// The unsaved value of an ordinal, nil when it has none.
  @inline(__always)
  subscript(ordinal: Int) -> EditValue? {
    guard let header, let entry = Self.entry(of: ordinal, behind: header) else { return nil }
    return entry.pointee.value
  }

  /// Where the value of an ordinal is, nil when it has none.
  @inline(__always)
  private static func entry(
    of ordinal: Int, behind header: UnsafeMutablePointer<Header>
  ) -> UnsafeMutablePointer<Entry>? {
    entry(of: ordinal, at: position(of: ordinal, behind: header), behind: header)
  }

  /// Where the value of an ordinal is, nil when it has none.
  ///
  /// - Parameter position: How many edited ordinals are smaller.
  @inline(__always)
  private static func entry(
    of ordinal: Int, at position: Int, behind header: UnsafeMutablePointer<Header>
  ) -> UnsafeMutablePointer<Entry>? {
    let entry = entries(behind: header) + position
    guard position < header.pointee.count, entry.pointee.ordinal == ordinal else { return nil }
    return entry
  }

  /// How many edited ordinals are smaller than an ordinal.
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
  /// - Parameter capacity: How many values to make room for, where there is none yet.
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

  /// Moves the values from a position on up by one; the place that comes free is to be initialized.
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

  /// Forgets the unsaved value of an ordinal.
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
    // Letting go of a value may run code of others, which may set values: the edits are as they should be by then.
    withExtendedLifetime(removed) {}
  }

  /// Forgets the unsaved destinations: objects that hold each other, as both sides of a pair do, would never be freed.
  mutating func removeObjects() {
    for (ordinal, value) in copies() {
      if case .object = value { remove(ordinal) }
    }
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
    let entries = Self.entries(behind: header)
    for position in 0..<header.pointee.count {
      let ordinal = entries[position].ordinal
      // The value alone is taken out, which is the entry's first field: of an entry it would be a counted copy.
      let place = UnsafeMutableRawPointer(entries + position).assumingMemoryBound(
        to: EditValue.self)
      let value = place.move()
      defer { place.initialize(to: value) }
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
    let entries = Self.entries(behind: header)
    for position in 0..<header.pointee.count {
      try body(entries[position].ordinal, entries[position].value)
    }
  }

  /// The ordinals and their values, ascending.
  ///
  /// To pack a boxed value is to run code of the application, which may set properties: it finds no walk over the edits.
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
