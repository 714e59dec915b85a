internal import OpenStoreContract

/// A coordinator's stores, and the positions by which objects refer to them.
///
/// A value; the coordinator guards it with its lock. No two stores ever have one position, with two exceptions in
/// which objects go on in the store that follows: a store that is added again, recognized by its identifier, and one
/// that takes the place of another with the same rows under the same keys.
struct AttachedStores {
  /// The stores, in the order in which they were added.
  private(set) var all: [NSPersistentStore] = []
  private var nextPosition = 0
  /// Positions of removed stores that may be added again, by identifier.
  private var formerPositions: [String: Int] = [:]
  /// The identifiers of `formerPositions`, the store that was removed last at the end.
  private var formerIdentifiers: [String] = []
  /// Stores that were removed longer ago get a new position when they are added again.
  private static let formerLimit = 4096

  /// The position for a store that is going to be added.
  ///
  /// - Throws: `StoreError` when more than four billion stores were added.
  mutating func takePosition(for backend: any StoreBackend) throws(StoreError) -> Int {
    if let former = formerPositions.removeValue(forKey: backend.identifier) {
      formerIdentifiers.removeAll { $0 == backend.identifier }
      return former
    }
    guard nextPosition < UInt32.max else {
      throw StoreError(.unsupported, "Too many stores were added to one coordinator.")
    }
    defer { nextPosition += 1 }
    return nextPosition
  }

  mutating func append(_ store: NSPersistentStore) { all.append(store) }

  /// Takes a store away.
  ///
  /// - Returns: Whether it was there.
  mutating func remove(_ store: NSPersistentStore) -> Bool {
    guard let index = all.firstIndex(where: { $0 === store }) else { return false }
    all.remove(at: index)
    // A store that is not durable never comes back.
    if store.backend.capabilities.contains(.durable) { keepPosition(of: store) }
    return true
  }

  private mutating func keepPosition(of store: NSPersistentStore) {
    let identifier = store.backend.identifier
    if formerPositions.updateValue(store.position, forKey: identifier) != nil { return }
    formerIdentifiers.append(identifier)
    guard formerIdentifiers.count > Self.formerLimit else { return }
    formerPositions[formerIdentifiers.removeFirst()] = nil
  }

  /// Replaces a store.
  mutating func replace(_ old: NSPersistentStore, with new: NSPersistentStore) {
    guard let index = all.firstIndex(where: { $0 === old }) else { return }
    all[index] = new
  }

  func contains(_ store: NSPersistentStore) -> Bool { all.contains { $0 === store } }

  /// The store at a position; nil when it was removed.
  func store(at position: Int) -> NSPersistentStore? { all.first { $0.position == position } }

  /// The store with an identifier.
  func store(identifiedBy identifier: String) -> NSPersistentStore? {
    all.first { $0.backend.identifier == identifier }
  }
}
