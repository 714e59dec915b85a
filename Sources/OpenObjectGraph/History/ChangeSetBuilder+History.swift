internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// What a save says for the history of its store.

extension ChangeSetBuilder {
  /// Has the change set say who saves, and what no row shows.
  mutating func recordOrigin(of context: NSManagedObjectContext, in store: NSPersistentStore) {
    guard store.keepsHistory else { return }
    recordsHistory = true
    changes.origin = ChangeOrigin(of: context, in: store)
  }

  /// Notes the to-many relationships in which an updated object gained or lost members.
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
  /// The author that a store's history records for changes of a context; empty when the store keeps no history.
  init(of context: NSManagedObjectContext, in store: NSPersistentStore) {
    self.init()
    guard store.keepsHistory else { return }
    let process = ProcessInfo.processInfo.processName
    author = context.transactionAuthor
    contextName = context.name
    bundleID = Bundle.main.bundleIdentifier ?? process
    processID = process
  }
}

extension SavedChanges {
  /// The positions in the histories after a save; nil when no store keeps one.
  static func token(of saved: [SavedChanges]) -> NSPersistentHistoryToken? {
    var numbers: [String: Int64] = [:]
    for outcome in saved {
      if let number = outcome.transaction { numbers[outcome.store.identifier] = number }
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }
}
