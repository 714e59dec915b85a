internal import OpenObjectModel

/// The to-many relationships that a context has loaded, with the keys of the owners of each
/// relationship.
///
/// If another context makes a change that no row describes, such as the deletion of an object that
/// is a fault here, the context finds the affected lists in this collection instead of searching
/// all registered objects. Recording a list appends a key. Keys of deallocated objects and
/// discarded lists are removed when the lists are visited and when the number of keys has
/// quadrupled.
///
/// > Concurrency: Confined to the context's queue.
struct LoadedLists {
  /// A to-many relationship of the objects of one entity.
  struct Relationship: Hashable {
    let entityIndex: Int
    let ordinal: Int
  }

  private struct Owner {
    let store: UInt32
    let key: Int64
  }

  private struct Owners {
    var all: [Owner] = []
    var limit = LoadedLists.smallestLimit
  }

  private static let smallestLimit = 4096
  private var owners: [Relationship: Owners] = [:]
  /// The number of lists visited so far.
  private(set) var visitCount = 0

  /// The relationships with lists that are, or were, loaded.
  var relationships: [Relationship] { Array(owners.keys) }

  mutating func removeAll() { owners.removeAll() }

  /// Records that an object's list was loaded.
  mutating func note(_ state: ToManyState, of object: NSManagedObject, _ registry: ContextRegistry)
  {
    guard !state.isNoted else { return }
    state.isNoted = true
    let relationship = Relationship(
      entityIndex: object.compiledEntity.index, ordinal: state.ordinal)
    let isFull = note(
      Owner(store: object.storePosition, key: object.key),
      of: &owners[relationship, default: Owners()])
    if isFull { visit(relationship, object.compiledEntity.rootIndex, registry) { _, _ in } }
  }

  /// Records an owner.
  ///
  /// - Returns: Whether the owners have reached the limit, so that they must be visited.
  private func note(_ owner: Owner, of owners: inout Owners) -> Bool {
    owners.all.append(owner)
    return owners.all.count >= owners.limit
  }

  /// Calls `body` with each loaded list of a relationship; `body` may unload the list.
  mutating func visit(
    _ relationship: Relationship, _ root: Int, _ registry: ContextRegistry,
    _ body: (_ list: ToManyState, _ owner: NSManagedObject) -> Void
  ) {
    guard let former = owners[relationship] else { return }
    var kept: [(owner: Owner, state: ToManyState)] = []
    for owner in former.all {
      // A list that was loaded, dropped and loaded again is recorded twice. The first visit removes
      // the mark.
      guard
        let object = registry.identityMap.object(
          store: Int(owner.store), root: root, key: owner.key),
        let state = object.extras?.members(relationship.ordinal), state.isNoted
      else { continue }
      state.isNoted = false
      guard state.isLoaded else { continue }
      visitCount += 1
      body(state, object)
      if state.isLoaded { kept.append((Owner(store: owner.store, key: object.key), state)) }
    }
    for entry in kept { entry.state.isNoted = true }
    owners[relationship] = Owners(
      all: kept.map(\.owner), limit: max(Self.smallestLimit, 4 * kept.count))
  }
}

extension ContextRegistry {
  /// Records that an object's list was loaded.
  func note(_ state: ToManyState, of object: NSManagedObject) {
    loadedLists.note(state, of: object, self)
  }

  /// Records the loaded lists of an object that has just received another key or another store.
  func noteLists(of object: NSManagedObject, _ extras: ObjectExtras) {
    extras.forEachMembers { state in
      guard state.isLoaded else { return }
      state.isNoted = false
      note(state, of: object)
    }
  }
}
