import CoreData
import Foundation

/// The changes of a step as values: each object before and after the step.
///
/// Confined to the queue of the contexts whose changes it notes.
struct StepChanges {
  /// The values of an object by property name, as `ObjectValues` converts them; `NSNull` without a value.
  typealias Values = [String: Any]

  /// The side of a step.
  enum Side {
    case before, after

    var opposite: Side { self == .before ? .after : .before }
  }

  /// An object that a step has created, changed or deleted.
  struct Change {
    let entity: String
    /// The values before the step; nil for a created object.
    fileprivate(set) var before: Values?
    /// The values after the step; nil for a deleted object.
    fileprivate(set) var after: Values?

    init(entity: String, before: Values?, after: Values?) {
      (self.entity, self.before, self.after) = (entity, before, after)
    }

    /// Returns the values at a side of the step, or nil if the object does not exist there.
    func values(_ side: Side) -> Values? { side == .before ? before : after }
  }

  /// The greatest number of objects of a step that is recorded.
  private static let greatestCount = 5_000

  /// The changes; those of changed objects contain only the changed values, and the values that identify the object.
  private(set) var all: [Change] = []
  /// Whether the step changes too many objects to be recorded.
  private(set) var isTooLarge = false
  private var places: [NSManagedObject: Int] = [:]

  /// Whether the step changes nothing.
  var isEmpty: Bool { all.isEmpty && !isTooLarge }

  /// Notes the pending changes of a context. Call before each save of the step.
  mutating func note(in context: NSManagedObjectContext) {
    let (inserted, updated, deleted) = (
      context.insertedObjects, context.updatedObjects, context.deletedObjects
    )
    let count = all.count + inserted.count + updated.count + deleted.count
    guard !isTooLarge, count <= Self.greatestCount else {
      (all, places, isTooLarge) = ([], [:], true)
      return
    }
    for object in inserted {
      let names = ObjectValues.names(of: object.entity)
      add(object, before: nil, after: Self.values(of: object, names))
    }
    for object in updated {
      let changed = object.changedValues()
      let names = ObjectValues.names(of: object.entity).filter { changed[$0] != nil }
      if names.isEmpty { continue }
      let noted = names + ObjectValues.identity(ofEntity: object.entity.name ?? "")
      add(
        object, before: Self.committedValues(of: object, noted),
        after: Self.values(of: object, noted))
    }
    for object in deleted {
      let names = ObjectValues.names(of: object.entity)
      add(object, before: Self.committedValues(of: object, names), after: nil)
    }
  }

  private mutating func add(_ object: NSManagedObject, before: Values?, after: Values?) {
    guard let place = places[object] else {
      places[object] = all.count
      all.append(Change(entity: object.entity.name ?? "", before: before, after: after))
      return
    }
    // An earlier save of the step has changed or created the object.
    let earlier = all[place]
    all[place].before = earlier.before.map { (before ?? [:]).merging($0) { $1 } }
    all[place].after = after.map { (earlier.after ?? [:]).merging($0) { $1 } }
  }

  // MARK: Values

  /// Returns the current values of an object.
  static func values(of object: NSManagedObject, _ names: [String]) -> Values {
    var values: Values = [:]
    for name in names { values[name] = ObjectValues.json(object.value(forKey: name)) ?? NSNull() }
    return values
  }

  private static func committedValues(of object: NSManagedObject, _ names: [String]) -> Values {
    object.committedValues(forKeys: names).mapValues { ObjectValues.json($0) ?? NSNull() }
  }
}
