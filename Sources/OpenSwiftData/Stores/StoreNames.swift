internal import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// What objects of a custom store are called that were inserted since the store was opened.
///
/// > Concurrency: Shared.
final class StoreNames: Sendable {
  private struct Key: Hashable {
    let root: Int
    let number: Int64

    init(_ id: NSManagedObjectID) {
      root = id.compiledEntity.rootIndex
      number = id.key
    }
  }

  private struct Name: Hashable {
    let root: Int
    let text: String
  }

  private struct State {
    var unsaved: Set<Key> = []
    /// The primary keys that the store gave.
    var primaryKeys: [Key: String] = [:]
    /// The references that the ids were made of, by primary key.
    var references: [Name: String] = [:]
  }

  private let state = Mutex(State())

  func addUnsaved(_ id: NSManagedObjectID) {
    _ = state.withLock { $0.unsaved.insert(Key(id)) }
  }

  func isUnsaved(_ id: NSManagedObjectID) -> Bool {
    state.withLock { $0.unsaved.contains(Key(id)) }
  }

  func primaryKey(of id: NSManagedObjectID) -> String? {
    state.withLock { $0.primaryKeys[Key(id)] }
  }

  func reference(of primaryKey: String, root: Int) -> String? {
    state.withLock { $0.references[Name(root: root, text: primaryKey)] }
  }

  func settle(_ id: NSManagedObjectID, _ primaryKey: String, _ reference: String) {
    let key = Key(id)
    state.withLock { state in
      state.unsaved.remove(key)
      state.primaryKeys[key] = primaryKey
      state.references[Name(root: key.root, text: primaryKey)] = reference
    }
  }
}
