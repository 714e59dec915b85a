internal import OpenObjectModel

/// Changed objects of a context, as their lists stand at one moment; keeps them alive.
struct SaveSet {
  private(set) var inserted: [NSManagedObject] = []
  private(set) var updated: [NSManagedObject] = []
  private(set) var deleted: [NSManagedObject] = []

  init() {}

  @inline(__always)
  init(inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject]) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  var count: Int { inserted.count + updated.count + deleted.count }

  /// The objects that belong to the store at a position.
  func share(of position: Int) -> SaveSet {
    func mine(_ objects: [NSManagedObject]) -> [NSManagedObject] {
      if objects.allSatisfy({ Int($0.storePosition) == position }) { return objects }
      return objects.filter { Int($0.storePosition) == position }
    }
    return SaveSet(inserted: mine(inserted), updated: mine(updated), deleted: mine(deleted))
  }

  /// Adds the objects of another set; the lists of a first one are taken over as they are.
  mutating func append(_ other: SaveSet) {
    guard !isEmpty else { return self = other }
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
  }

  /// Calls `body` with the inserted, the updated, then the deleted objects, without retaining each.
  func forEach(_ body: (NSManagedObject) throws -> Void) rethrows {
    for list in [inserted, updated, deleted] { try list.forEachBorrowed { try body($0) } }
  }
}
