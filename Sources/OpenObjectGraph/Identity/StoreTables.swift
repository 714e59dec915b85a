/// The tables of registered objects: one table for each root entity of each store.
///
/// A store receives its tables with its first object. The next store that needs tables reuses
/// tables that are all empty. Therefore stores that are repeatedly added and removed do not cost
/// memory.
struct StoreTables: ~Copyable, Sendable {
  typealias Table = KeyTable<UnsafeRawPointer>

  private var tables = KeyTables<UnsafeRawPointer>()
  /// The positions of the stores, each of which has `rootCount` tables.
  private var stores: [Int] = []
  private let rootCount: Int
  /// The most recently used store, and the position of its first table.
  private var recentStore = -1
  private var recentFirst = 0

  init(rootCount: Int) { self.rootCount = rootCount }

  /// Returns the table of a store; nil if no object of the store was ever registered.
  @inline(__always)
  mutating func known(_ store: Int, _ root: Int) -> UnsafeMutablePointer<Table>? {
    if store == recentStore || find(store) { return tables[recentFirst &+ root] }
    return nil
  }

  /// Returns the table of a store, creating it if necessary.
  @inline(__always)
  mutating func table(_ store: Int, _ root: Int) -> UnsafeMutablePointer<Table> {
    if store != recentStore, !find(store) { add(store) }
    return tables[recentFirst &+ root]
  }

  /// Returns the first entry with the given key in the tables of all stores.
  func find(_ key: Int64, _ root: Int) -> UnsafeRawPointer? {
    var position = root
    while position < tables.count {
      if let address = tables.find(key, in: position) { return address }
      position += rootCount
    }
    return nil
  }

  @inline(never)
  private mutating func find(_ store: Int) -> Bool {
    guard let place = stores.firstIndex(of: store) else { return false }
    recentStore = store
    recentFirst = place * rootCount
    return true
  }

  @inline(never)
  private mutating func add(_ store: Int) {
    var place = 0
    while place < stores.count, hasEntries(at: place) { place += 1 }
    if place < stores.count { stores[place] = store } else { stores.append(store) }
    recentStore = store
    recentFirst = place * rootCount
  }

  func hasEntries(of store: Int) -> Bool {
    guard let place = stores.firstIndex(of: store) else { return false }
    return hasEntries(at: place)
  }

  private func hasEntries(at place: Int) -> Bool {
    var position = place * rootCount
    let end = min(position + rootCount, tables.count)
    while position < end {
      if tables.entryCount(of: position) > 0 { return true }
      position += 1
    }
    return false
  }

  func forEach(_ body: (UnsafeMutablePointer<Table>) -> Void) {
    tables.forEach(body)
  }
}
