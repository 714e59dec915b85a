import CoreData

// The model that the sources of every folder use.

@ManagedObject
class Note: NSManagedObject {
  @Managed var title: String
  @Managed var folder: Folder?

  override func awakeFromInsert() {
    super.awakeFromInsert()
    title = "New"
  }

  override func willSave() { super.willSave() }
}

@ManagedObject
class Folder: NSManagedObject {
  @Managed var notes: Set<Note>
}

/// The result of a block, created from objects that cannot leave it.
struct Summary: Sendable {
  let id: NSManagedObjectID
  let title: String
}
