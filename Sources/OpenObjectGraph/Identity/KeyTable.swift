/// An open-addressing hash table from 64-bit keys to plain values such as addresses.
///
/// The table uses Fibonacci hashing of groups of keys, and deletes with backward shifts. A store's
/// keys are mostly accessed in order. Therefore eight consecutive keys have adjacent slots, so that
/// memory fetched for one key also serves the next.
///
/// The memory is allocated separately, so that an access needs no exclusivity check. The table
/// retains nothing. Key 0 marks an empty slot. A row with key 0, which only a damaged store has, is
/// stored under the smallest integer.
struct KeyTable<Value: BitwiseCopyable>: ~Copyable {
  private var keys: UnsafeMutablePointer<Int64>
  private var values: UnsafeMutablePointer<Value>
  private var mask: Int
  private var shift: UInt64
  private(set) var count = 0

  init() {
    mask = 15
    shift = 60
    keys = .allocate(capacity: 16)
    values = .allocate(capacity: 16)
    keys.initialize(repeating: 0, count: 16)
  }

  deinit {
    keys.deallocate()
    values.deallocate()
  }

  @inline(__always)
  private func filed(_ key: Int64) -> Int64 { key == 0 ? .min : key }

  /// Returns the first slot to search for a key.
  ///
  /// The slot is the hash of the key's group, whose lowest bits are combined with the position of
  /// the key in the group. Keys that are all multiples of eight are still distributed.
  @inline(__always)
  private func home(_ key: Int64) -> Int {
    let key = UInt64(bitPattern: key)
    let group = ((key &>> 3) &* 0x9E37_79B9_7F4A_7C15) &>> shift
    return Int(truncatingIfNeeded: group ^ (key & 7))
  }

  @inline(__always)
  func find(_ key: Int64) -> Value? {
    let key = filed(key)
    var index = home(key)
    while true {
      let found = keys[index]
      if found == key { return values[index] }
      if found == 0 { return nil }
      index = (index &+ 1) & mask
    }
  }

  @inline(__always)
  mutating func insert(_ key: Int64, _ value: Value) { insert(key, value) { _ in true } }

  /// Adds an entry, or replaces the existing entry with the key if its value passes a test.
  @inline(__always)
  mutating func insert(_ key: Int64, _ value: Value, replacing isReplaced: (Value) -> Bool) {
    if count &* 4 >= mask &* 3 { grow() }
    let key = filed(key)
    var index = home(key)
    while keys[index] != 0 {
      if keys[index] == key {
        if isReplaced(values[index]) { values[index] = value }
        return
      }
      index = (index &+ 1) & mask
    }
    keys[index] = key
    values[index] = value
    count &+= 1
  }

  /// Removes the entry with the given key if its value passes a test.
  @inline(__always)
  mutating func remove(_ key: Int64, if isCurrent: (Value) -> Bool) {
    let key = filed(key)
    var index = home(key)
    while keys[index] != key {
      if keys[index] == 0 { return }
      index = (index &+ 1) & mask
    }
    guard isCurrent(values[index]) else { return }
    count &-= 1
    closeGap(at: index)
  }

  private mutating func closeGap(at start: Int) {
    var gap = start
    var index = start
    while true {
      index = (index &+ 1) & mask
      if keys[index] == 0 { break }
      let wanted = home(keys[index])
      let stays =
        gap <= index ? (wanted > gap && wanted <= index) : (wanted > gap || wanted <= index)
      if !stays {
        keys[gap] = keys[index]
        values[gap] = values[index]
        gap = index
      }
    }
    keys[gap] = 0
  }

  private mutating func grow() {
    let oldKeys = keys
    let oldValues = values
    let oldCapacity = mask + 1
    mask = oldCapacity * 2 - 1
    shift -= 1
    keys = .allocate(capacity: oldCapacity * 2)
    values = .allocate(capacity: oldCapacity * 2)
    keys.initialize(repeating: 0, count: oldCapacity * 2)
    for index in 0..<oldCapacity where oldKeys[index] != 0 {
      var target = home(oldKeys[index])
      while keys[target] != 0 { target = (target &+ 1) & mask }
      keys[target] = oldKeys[index]
      values[target] = oldValues[index]
    }
    oldKeys.deallocate()
    oldValues.deallocate()
  }

  /// Calls `body` with each value.
  func forEach(_ body: (Value) -> Void) {
    for index in 0...mask where keys[index] != 0 { body(values[index]) }
  }

  mutating func removeAll() {
    keys.update(repeating: 0, count: mask + 1)
    count = 0
  }
}

/// Several key tables at fixed addresses, each created on first use.
// Invariant of the unchecked conformance: the memory has one owner, and the tables never
// dereference their values.
struct KeyTables<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  private var tables: [UnsafeMutablePointer<KeyTable<Value>>] = []

  init() {}

  deinit {
    for table in tables {
      table.deinitialize(count: 1)
      table.deallocate()
    }
  }

  var count: Int { tables.count }

  /// The number of entries in a table that already exists.
  func entryCount(of position: Int) -> Int { tables[position].pointee.count }

  /// Returns the entry with the given key in a table that already exists.
  func find(_ key: Int64, in position: Int) -> Value? { tables[position].pointee.find(key) }

  @inline(__always)
  subscript(position: Int) -> UnsafeMutablePointer<KeyTable<Value>> {
    mutating get {
      while tables.count <= position {
        let table = UnsafeMutablePointer<KeyTable<Value>>.allocate(capacity: 1)
        table.initialize(to: KeyTable())
        tables.append(table)
      }
      return tables[position]
    }
  }

  func forEach(_ body: (UnsafeMutablePointer<KeyTable<Value>>) -> Void) {
    for table in tables { body(table) }
  }
}
