import CoreData
import Foundation

/// The values that a step wrote when it was last carried out, undone or redone.
///
/// If another program has changed one of these values since then, undoing or redoing the step would discard that change.
///
/// > Concurrency: Confined to the main queue.
final class StepRecord {
  /// The kinds of steps.
  enum Kind: String {
    /// Undoing the step restores sums and positions that were wrong before.
    case repair
    /// Undoing the step calculates sums and positions again, because other programs may have changed the library since.
    case action
  }

  /// The key of a step's record in the undo manager.
  static let key: UndoManager.UserInfoKey = "KanoraStepRecord"

  /// Values that follow from other values, or that every change sets.
  private static let derived: Set = ["trackCount", "totalDuration", "updatedAt"]
  /// Values that plays set. They do not prevent the deletion of a track.
  private static let ofPlays: Set = ["playCount", "lastPlayedAt"]
  /// The keys for searching and sorting, which a save updates.
  private static let keys: Set = ["titleKey", "artistKey", "genreKey", "nameKey", "sortKey"]

  /// The id of the step in the journal.
  let id = UUID()
  let kind: Kind
  private var pending: [(object: NSManagedObject, names: [String])] = []
  private var written: [NSManagedObjectID: [String: AnyHashable]] = [:]

  init(_ kind: Kind) { self.kind = kind }

  /// Notes which values the pending changes of a context write. Call before each save of the step.
  func noteChanges(in context: NSManagedObjectContext) {
    for object in context.insertedObjects {
      pending.append(
        (object, ObjectValues.names(of: object.entity).filter { !Self.ofPlays.contains($0) }))
    }
    for object in context.updatedObjects {
      let changed = object.changedValues()
      let names = ObjectValues.names(of: object.entity).filter {
        !Self.derived.contains($0) && changed[$0] != nil
      }
      pending.append((object, names))
    }
  }

  /// Reads the noted values. Call after the last save of the step.
  func readValues() {
    for (object, names) in pending where !object.isDeleted && object.managedObjectContext != nil {
      written[object.objectID, default: [:]].merge(Self.values(names, of: object)) { $1 }
    }
    pending = []
  }

  /// Replaces the values with those of another record.
  func update(from other: StepRecord) { written = other.written }

  /// Checks that the values are still those that the step wrote.
  ///
  /// - Parameters:
  ///   - name: The name of the step.
  ///   - context: The main context, which has merged the changes of other programs.
  /// - Throws: `KanoraError` with code `.changedElsewhere`; any error a fetch throws.
  func requireUnchanged(_ name: String, in context: NSManagedObjectContext) throws {
    for (entity, ids) in Dictionary(grouping: written.keys, by: { $0.entity.name ?? "" }) {
      // SQLite limits the number of values in a statement.
      for start in stride(from: 0, to: ids.count, by: 500) {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        let piece = Array(ids[start..<min(start + 500, ids.count)])
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [piece])
        request.returnsObjectsAsFaults = false
        let objects = try context.fetch(request)
        guard objects.count == piece.count, objects.allSatisfy(isUnchanged) else {
          throw Self.changedElsewhere(name)
        }
      }
    }
  }

  /// Returns the error for a step whose values have changed since.
  ///
  /// - Parameter name: The name of the step.
  static func changedElsewhere(_ name: String) -> KanoraError {
    KanoraError(
      .changedElsewhere,
      "The library has changed since “\(name)”, for example by another program or a scan. "
        + "Edit the values instead.")
  }

  /// Returns the names of values whose changes do not prevent the undoing of a step.
  ///
  /// - Parameter isChanged: Whether the step changes the object, and neither creates nor deletes it.
  static func ignoredNames(ofChangedObject isChanged: Bool) -> Set<String> {
    (isChanged ? derived : ofPlays).union(keys)
  }

  private func isUnchanged(_ object: NSManagedObject) -> Bool {
    let expected = written[object.objectID] ?? [:]
    return Self.values(Array(expected.keys), of: object) == expected
  }

  /// Returns values by name; for a relationship, the id of the destination; `NSNull` without a value.
  private static func values(
    _ names: [String], of object: NSManagedObject
  ) -> [String: AnyHashable] {
    var values: [String: AnyHashable] = [:]
    for name in names {
      let value = object.value(forKey: name)
      if let destination = value as? NSManagedObject {
        values[name] = AnyHashable(destination.objectID)
      } else {
        values[name] = (value as? AnyHashable) ?? AnyHashable(NSNull())
      }
    }
    return values
  }
}
