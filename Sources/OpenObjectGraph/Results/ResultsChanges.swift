internal import Foundation

/// The changes of fetched results that the delegate and the snapshot sequences receive.
struct ResultsChanges {
  /// A change to one object.
  struct Change {
    let row: ResultRow
    /// The position in the old content; nil for an inserted row.
    let old: ResultsEdit.Place?
    /// The position in the new content; nil for a deleted row.
    let new: ResultsEdit.Place?

    var oldPath: IndexPath? { old.map { IndexPath(item: $0.item, section: $0.section) } }
    var newPath: IndexPath? { new.map { IndexPath(item: $0.item, section: $0.section) } }
  }

  var deletedSections: [(name: String, place: Int)] = []
  var insertedSections: [(section: ResultSection, place: Int)] = []
  var deletions: [Change] = []
  var insertions: [Change] = []
  var moves: [Change] = []
  var updates: [Change] = []

  /// Sorts each kind of change by position. Insertions are sorted by their new position, and all
  /// other changes by their old position.
  mutating func sort() {
    deletedSections.sort { $0.place < $1.place }
    insertedSections.sort { $0.place < $1.place }
    deletions.sort { Self.precedes($0.old, $1.old) }
    insertions.sort { Self.precedes($0.new, $1.new) }
    moves.sort { Self.precedes($0.old, $1.old) }
    updates.sort { Self.precedes($0.old, $1.old) }
  }

  /// Divides the deletions of objects into those whose section is also deleted and all others.
  func splitDeletions() -> (ofDeletedSections: [Change], others: [Change]) {
    if deletedSections.isEmpty { return ([], deletions) }
    let places = Set(deletedSections.map(\.place))
    func isInDeletedSection(_ change: Change) -> Bool {
      change.old.map { places.contains($0.section) } ?? false
    }
    return (
      deletions.filter(isInDeletedSection), deletions.filter { !isInDeletedSection($0) }
    )
  }

  private static func precedes(_ one: ResultsEdit.Place?, _ other: ResultsEdit.Place?) -> Bool {
    guard let one, let other else { return one == nil && other != nil }
    return (one.section, one.item) < (other.section, other.item)
  }

  /// The ids of changed objects that were already in the results, in their new order.
  var reloadedIDs: [NSManagedObjectID] {
    (moves + updates).sorted { Self.precedes($0.new, $1.new) }.map(\.row.object.currentID)
  }

  /// The changes of results without sections, as a difference in object ids.
  var difference: CollectionDifference<NSManagedObjectID>? {
    var steps: [CollectionDifference<NSManagedObjectID>.Change] = []
    for change in deletions + insertions + moves + updates {
      let current = change.row.object.currentID
      if let old = change.old {
        steps.append(
          .remove(
            offset: old.item, element: change.row.temporaryID ?? current,
            associatedWith: change.new?.item))
      }
      if let new = change.new {
        steps.append(
          .insert(offset: new.item, element: current, associatedWith: change.old?.item))
      }
    }
    return CollectionDifference(steps)
  }
}
