/// The tables of registered objects: one for each root entity of each store.
///
/// A store gets its tables with its first object. Tables that are all empty serve the next store that needs some,
/// so that stores that come and go cost no memory.
struct StoreTables: ~Copyable, Sendable {
  typealias Table = KeyTable<UnsafeRawPointer>

  private var tables = KeyTables<UnsafeRawPointer>()
  /// Positions of the stores, each with `rootCount` tables.
  private var stores: [Int] = []
  private let rootCount: Int
  /// The store used last, and its first table.
  private var recentStore = -1
  private var recentFirst = 0

  init(rootCount: Int) { self.rootCount = rootCount }

  /// The table of a store; nil while no object of the store was registered.
  @inline(__always)
  mutating func known(_ store: Int, _ root: Int) -> UnsafeMutablePointer<Table>? {
    if store == recentStore || find(store) { return tables[recentFirst &+ root] }
    return nil
  }

  /// The table of a store, made if need be.
  @inline(__always)
  mutating func table(_ store: Int, _ root: Int) -> UnsafeMutablePointer<Table> {
    if store != recentStore, !find(store) { add(store) }
    return tables[recentFirst &+ root]
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
