import CoreData
import Foundation

/// Takes a recorded step back, or again.
///
/// Confined to the queue of its context.
struct StepTaking {
  /// The relation of a step to the current library.
  enum Standing {
    /// The library has the values from which the step can be taken.
    case ready
    /// The library already has the values to which the step leads.
    case taken
    /// The library has other values.
    case changed
  }

  private let step: StepJournal.Step
  private let changes: [StepChanges.Change]
  private let start: StepChanges.Side
  private let context: NSManagedObjectContext

  /// - Parameters:
  ///   - step: The step.
  ///   - direction: The direction.
  ///   - context: A context without changes.
  /// - Throws: `KanoraError` with code `.nothingToUndo` if the changes of the step are not recorded.
  init(
    _ step: StepJournal.Step, _ direction: StepDirection, in context: NSManagedObjectContext
  ) throws {
    guard let changes = step.changes else {
      throw KanoraError(
        .nothingToUndo,
        "“\(step.name)” changed too many objects to be recorded, so it cannot be undone.")
    }
    (self.step, self.changes, self.context) = (step, changes, context)
    start = direction == .undo ? .after : .before
  }

  // MARK: The state of the library

  /// Compares the library with both sides of the step.
  ///
  /// - Throws: Any error a fetch throws.
  func standing() throws -> Standing {
    if try isAt(start) { return .ready }
    return try isAt(start.opposite) ? .taken : .changed
  }

  /// Returns whether the objects of the step have the values of a side. Other values may have changed.
  private func isAt(_ side: StepChanges.Side) throws -> Bool {
    let (present, others) = (try objects(at: side), try objects(at: side.opposite))
    for (place, change) in changes.enumerated() {
      guard let values = change.values(side) else {
        if others[place] != nil { return false }
        continue
      }
      guard let object = present[place] else { return false }
      let ignored = StepRecord.ignoredNames(
        ofChangedObject: change.values(side.opposite) != nil)
      let isEqual = values.allSatisfy { name, json in
        ignored.contains(name) || Self.value(name, of: object, isEqualTo: json)
      }
      if !isEqual { return false }
    }
    return true
  }

  /// Returns whether the current value of an object is equal to a recorded one.
  private static func value(
    _ name: String, of object: NSManagedObject, isEqualTo recorded: Any
  ) -> Bool {
    let current = ObjectValues.json(object.value(forKey: name))
    guard let attribute = object.entity.attributesByName[name] else {
      return current as? String == recorded as? String
    }
    func typed(_ json: Any?) -> AnyHashable? {
      guard let json, !(json is NSNull) else { return nil }
      return ObjectValues.value(json, of: attribute) as? AnyHashable
    }
    return typed(current) == typed(recorded)
  }

  /// Returns the existing objects that the values of a side identify, by the places of the changes.
  private func objects(at side: StepChanges.Side) throws -> [Int: NSManagedObject] {
    var found: [Int: NSManagedObject] = [:]
    let all = changes.enumerated().filter { $1.values(side) != nil }
    for (entity, group) in Dictionary(grouping: all, by: { $0.element.entity }) {
      let names = ObjectValues.identity(ofEntity: entity)
      if names == ["id"] {
        let ids = group.map { UUID(uuidString: $0.element.values(side)?["id"] as? String ?? "") }
        let known: [UUID: NSManagedObject] = try LibraryDesk.existingObjects(
          entity, ids.compactMap(\.self), in: context)
        for (item, id) in zip(group, ids) { found[item.offset] = id.flatMap { known[$0] } }
      } else {
        for (place, change) in group {
          found[place] = try object(entity, names, change.values(side) ?? [:])
        }
      }
    }
    return found
  }

  /// Returns the object of an entity without an id that has the given values.
  private func object(
    _ entity: String, _ names: [String], _ values: StepChanges.Values
  ) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    let description = NSEntityDescription.entity(forEntityName: entity, in: context)
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: names.map { name in
        let text = values[name] as? String
        guard let attribute = description?.attributesByName[name] else {
          let id = text.flatMap { UUID(uuidString: $0) }
          return NSPredicate(format: "%K == %@", argumentArray: ["\(name).id", id ?? NSNull()])
        }
        let value = values[name].flatMap { ObjectValues.value($0, of: attribute) }
        return NSPredicate(format: "%K == %@", argumentArray: [name, value ?? NSNull()])
      })
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  // MARK: Taking

  /// Gives the objects the values of the other side, without saving.
  ///
  /// - Throws: `KanoraError` with code `.changedElsewhere`; any error a fetch throws.
  func take() throws {
    let present = try objects(at: start)
    var places = Places(context: context)
    var targets: [(object: NSManagedObject, values: StepChanges.Values)] = []
    for entity in ObjectValues.entities {
      for (place, change) in changes.enumerated() where change.entity == entity {
        guard let values = change.values(start.opposite) else { continue }
        let object =
          present[place]
          ?? NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        places.add(object, entity, values["id"] as? String)
        targets.append((object, values))
      }
    }
    for (object, values) in targets { try set(values, of: object, &places) }
    context.processPendingChanges()
    let gone = changes.enumerated().filter { $1.values(start.opposite) == nil }
    try delete(gone.compactMap { present[$0.offset] })
    context.processPendingChanges()
    // Undoing a repair restores sums and positions that were wrong before.
    if step.kind == .action { LibraryDesk.updateDependentValues(in: context) }
  }

  private func set(
    _ values: StepChanges.Values, of object: NSManagedObject, _ places: inout Places
  ) throws {
    for (name, json) in values {
      let isAbsent = json is NSNull
      if let attribute = object.entity.attributesByName[name] {
        let value = isAbsent ? nil : ObjectValues.value(json, of: attribute)
        guard isAbsent || value != nil else { throw changed }
        object.setValue(value, forKey: name)
      } else if let relationship = object.entity.relationshipsByName[name] {
        let entity = relationship.destinationEntity?.name ?? ""
        let other = isAbsent ? nil : try places.object(entity, json as? String ?? "")
        guard isAbsent || other != nil else { throw changed }
        object.setValue(other, forKey: name)
      }
    }
  }

  /// Deletes objects that have no objects, besides plays, that the step does not know.
  private func delete(_ objects: [NSManagedObject]) throws {
    let gone = Set(objects)
    for object in objects {
      let owned = object.entity.relationshipsByName.filter {
        $1.isToMany && $1.deleteRule == .cascadeDeleteRule && $1.destinationEntity?.name != "Play"
      }
      for name in owned.keys {
        let members = object.value(forKey: name) as? Set<NSManagedObject> ?? []
        guard members.allSatisfy({ $0.isDeleted || gone.contains($0) }) else { throw changed }
      }
    }
    for object in objects { context.delete(object) }
  }

  private var changed: KanoraError { StepRecord.changedElsewhere(step.name) }

  /// The destinations of to-one relationships, by entity and id.
  private struct Places {
    let context: NSManagedObjectContext
    private var known: [String: NSManagedObject] = [:]

    init(context: NSManagedObjectContext) { self.context = context }

    mutating func add(_ object: NSManagedObject, _ entity: String, _ id: String?) {
      if let id { known["\(entity) \(id)"] = object }
    }

    /// Returns the object of an entity with an id.
    mutating func object(_ entity: String, _ id: String) throws -> NSManagedObject? {
      if let object = known["\(entity) \(id)"] { return object }
      guard let uuid = UUID(uuidString: id) else { return nil }
      let found: [UUID: NSManagedObject] = try LibraryDesk.existingObjects(
        entity, [uuid], in: context)
      if let object = found[uuid] { add(object, entity, id) }
      return found[uuid]
    }
  }
}
