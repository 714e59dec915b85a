internal import Foundation
internal import OpenStoreContract

/// A coordinator's stores, and the positions by which objects refer to them.
///
/// The coordinator guards this value with its lock. Two stores never have the same position, with
/// two exceptions: a store that is added again, recognized by its identifier, receives its former
/// position; and a store that replaces another store with the same rows and keys receives the
/// position of the replaced store. The objects then belong to the new store. The value never opens
/// or closes a store.
struct AttachedStores {
  /// The stores, in the order in which they were added.
  private(set) var all: [NSPersistentStore] = []
  private var nextPosition = 0
  /// The positions of removed stores that may be added again, by identifier.
  private var formerPositions: [String: Int] = [:]
  /// The identifiers in `formerPositions`, in the order in which the stores were removed.
  private var formerIdentifiers: [String] = []
  /// The number of removed stores whose positions are kept.
  private static let formerLimit = 4096

  /// Returns the position for a store that is about to be added.
  ///
  /// - Throws: `StoreError` if more than four billion stores were added.
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

  /// Removes a store.
  ///
  /// - Returns: Whether the store was attached.
  mutating func remove(_ store: NSPersistentStore) -> Bool {
    guard let index = all.firstIndex(where: { $0 === store }) else { return false }
    all.remove(at: index)
    // An in-memory store that no other coordinator shares never comes back.
    if store.backend.capabilities.contains(.durable) || store.url?.memoryName != nil {
      keepPosition(of: store)
    }
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

  /// Sorts the stores by the order of the given positions. Stores with other positions follow.
  mutating func sort(by positions: [Int]) {
    let known = positions.compactMap { store(at: $0) }
    all = known + all.filter { !positions.contains($0.position) }
  }

  func contains(_ store: NSPersistentStore) -> Bool { all.contains { $0 === store } }

  /// Returns the store at a position; nil if the store was removed.
  func store(at position: Int) -> NSPersistentStore? { all.first { $0.position == position } }

  /// Returns the store with the given identifier; nil if no attached store has the identifier.
  func store(identifiedBy identifier: String) -> NSPersistentStore? {
    all.first { $0.backend.identifier == identifier }
  }

  // MARK: Files

  /// Returns the stores of a type at a URL, even under another path or a link.
  ///
  /// At `/dev/null`, there can be several in-memory stores.
  func stores(ofType type: String, at url: URL) -> [NSPersistentStore] {
    all.filter { $0.type == type }.filter(Self.isStore(type, at: url))
  }

  /// Throws `CocoaError` 134081 if a store has the same file, even under another path or a link.
  func requireNew(_ type: String, at url: URL?) throws {
    guard let url, url.path != "/dev/null", all.contains(where: Self.isStore(type, at: url))
    else { return }
    throw CocoaError.make(CocoaError.Code(rawValue: 134081), "Can't add the same store twice")
  }

  /// Returns a function that returns whether a store has the URL, or the file at the URL.
  private static func isStore(_ type: String, at url: URL) -> (NSPersistentStore) -> Bool {
    let identity = StoreFileIdentity(type, url)
    return { store in
      store.url == url
        || (identity != nil && StoreFileIdentity(store.type, store.url) == identity)
    }
  }

  /// Throws `CocoaError` 134080 if a store has the identifier of an opened store, because object
  /// ids could then refer to either store.
  func requireOther(_ parts: OpenedStore) throws {
    guard let known = store(identifiedBy: parts.backend.identifier) else { return }
    let path = parts.url?.path
    throw CocoaError.make(
      .persistentStoreOpen,
      "The store \(path ?? parts.backend.identifier) was not added because the coordinator's store \(known.name) has the "
        + "same identifier. Typically, one is a copy of the other. Remove that store first, or create the copy with "
        + "migratePersistentStore, which gives the new store another identifier.",
      path: path)
  }
}
