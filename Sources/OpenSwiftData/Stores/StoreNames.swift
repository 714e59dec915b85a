internal import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// The primary keys of the objects that were inserted into a custom store after it was opened.
///
/// > Concurrency: Any thread.
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
    /// The primary keys that the store assigned, by object.
    var primaryKeys: [Key: String] = [:]
    /// The references that the object identifiers were created with, by primary key.
    var references: [Name: String] = [:]
  }

  private let state = Mutex(State())

  func addUnsaved(_ id: NSManagedObjectID) {
    _ = state.withLock { $0.unsaved.insert(Key(id)) }
  }

  func isUnsaved(_ id: NSManagedObjectID) -> Bool {
    state.withLock { $0.unsaved.contains(Key(id)) }
  }

  /// Returns whether an object was inserted after the store was opened, and may have been saved
  /// since.
  func isInserted(_ id: NSManagedObjectID) -> Bool {
    let key = Key(id)
    return state.withLock { $0.unsaved.contains(key) || $0.primaryKeys[key] != nil }
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
