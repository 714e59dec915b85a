internal import OpenObjectModel

/// The changed objects of a context at one moment. The set retains the objects.
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

  /// Returns the objects that belong to the store at an index.
  func share(of position: Int) -> SaveSet {
    func mine(_ objects: [NSManagedObject]) -> [NSManagedObject] {
      if objects.allSatisfy({ Int($0.storePosition) == position }) { return objects }
      return objects.filter { Int($0.storePosition) == position }
    }
    return SaveSet(inserted: mine(inserted), updated: mine(updated), deleted: mine(deleted))
  }

  /// Adds the objects of another set. If this set is empty, it shares the arrays of the other set.
  mutating func append(_ other: SaveSet) {
    guard !isEmpty else { return self = other }
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
  }

  /// Calls `body` with each inserted object, then with each updated and each deleted object,
  /// without retaining the objects.
  func forEach(_ body: (NSManagedObject) throws -> Void) rethrows {
    for list in [inserted, updated, deleted] { try list.forEachBorrowed { try body($0) } }
  }
}
