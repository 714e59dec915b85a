internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// The parts of a change set that only the history of the store needs.

extension ChangeSetBuilder {
  /// Records the author of the save and changes without rows, if the store keeps a history.
  mutating func recordOrigin(of context: NSManagedObjectContext, in store: NSPersistentStore) {
    guard store.keepsHistory else { return }
    recordsHistory = true
    changes.origin = ChangeOrigin(of: context, in: store)
  }

  /// Records the to-many relationships in which an updated object gained or lost members.
  mutating func addTouched(of object: NSManagedObject) {
    guard recordsHistory, let extras = object.extras, extras.hasToManyEdits else { return }
    var relationships = OrdinalSet()
    extras.forEachMembers {
      if $0.isEdited, !object.compiledEntity.properties[$0.ordinal].isTransient {
        relationships.insert($0.ordinal)
      }
    }
    guard !relationships.isEmpty else { return }
    let id = ObjectKey(entityIndex: object.compiledEntity.index, key: object.key)
    changes.touched.append(ChangeSet.Touched(id: id, relationships: relationships))
  }
}

extension ChangeOrigin {
  /// Creates the origin that a store's history records for changes of a context.
  ///
  /// The changes of a child context have the origin of its parent. The origin is empty if the store
  /// keeps no history.
  init(of context: NSManagedObjectContext, in store: NSPersistentStore) {
    self.init()
    guard store.keepsHistory else { return }
    if let parent = context.source.parent {
      self = parent.performForChild { ChangeOrigin(of: parent, in: store) }
      return
    }
    let process = ProcessInfo.processInfo.processName
    author = context.transactionAuthor
    contextName = context.name
    bundleID = Bundle.main.bundleIdentifier ?? process
    processID = process
  }
}

extension SavedChanges {
  /// The positions in the histories after a save; nil if no store keeps a history.
  static func token(of saved: [SavedChanges]) -> NSPersistentHistoryToken? {
    var numbers: [String: Int64] = [:]
    for outcome in saved {
      if let number = outcome.transaction { numbers[outcome.store.identifier] = number }
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }
}
