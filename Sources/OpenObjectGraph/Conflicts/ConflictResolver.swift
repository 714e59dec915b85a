internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Hands the conflicts of a commit that wrote nothing to the context's merge policy.
struct ConflictResolver {
  let context: NSManagedObjectContext
  let store: NSPersistentStore
  let position: Int

  /// Changes the objects so that the next try can succeed.
  ///
  /// - Throws: What the policy throws: `CocoaError` 133020 or 133021 with all conflicts by default.
  func resolve(_ conflicts: [StoreConflict]) throws {
    let policy = context.mergePolicy as? NSMergePolicy ?? .error
    let constraints = try constraintConflicts(conflicts)
    // Only the policies of the library are known not to look at the values, or to keep the conflicts.
    if policy.mergeType == .errorMergePolicyType || type(of: policy) != NSMergePolicy.self {
      for conflict in constraints { conflict.keepValues() }
    }
    try policy.resolve(mergeConflicts: versionConflicts(conflicts) + constraints)
    context.propagateDeletions()
  }

  // MARK: Versions

  private func versionConflicts(_ conflicts: [StoreConflict]) -> [Any] {
    conflicts.compactMap { conflict -> NSMergeConflict? in
      guard case .version(let id, let expected, let stored) = conflict, let object = object(id)
      else { return nil }
      guard case .found(let row) = stored else {
        return NSMergeConflict(object, expected: expected, stored: nil)
      }
      return NSMergeConflict(object, expected: expected, stored: row)
    }
  }

  private func object(_ id: ObjectKey) -> NSManagedObject? {
    let root = context.model.entities[Int(id.entityIndex)].rootIndex
    return context.registry.identityMap.object(store: position, root: root, key: id.key)
  }

  // MARK: Constraints

  /// A uniqueness constraint of an entity.
  private struct Constraint: Hashable {
    var entityIndex: Int
    var properties: [String]
  }

  private func constraintConflicts(
    _ conflicts: [StoreConflict]
  ) throws -> [NSConstraintConflict] {
    var violated: [Constraint] = []
    for case .constraint(_, let entityIndex, let properties) in conflicts {
      let constraint = Constraint(entityIndex: entityIndex, properties: properties)
      if !violated.contains(constraint) { violated.append(constraint) }
    }
    return try violated.flatMap(conflictsUnder)
  }

  /// All conflicts under one constraint, in the order in which the objects were changed.
  private func conflictsUnder(_ constraint: Constraint) throws -> [NSConstraintConflict] {
    let entity = context.model.entities[constraint.entityIndex]
    var order: [[Value]] = []
    var groups: [[Value]: [NSManagedObject]] = [:]
    for object in context.unitOfWork.inserted + context.unitOfWork.updated
    where entity.subtree.contains(object.compiledEntity.index)
      && Int(object.storePosition) == position
    {
      guard let values = values(of: object, constraint.properties) else { continue }
      if groups[values] == nil { order.append(values) }
      groups[values, default: []].append(object)
    }
    let saved = try savedObjects(entity, constraint.properties, order)
    return order.compactMap { values in
      let database = saved[values]
      let objects = (groups[values] ?? []).filter { $0 !== database }
      guard objects.count > 1 || database != nil && !objects.isEmpty else { return nil }
      return NSConstraintConflict(
        constraint: constraint.properties, database: database, conflicting: objects)
    }
  }

  /// The object's values under a constraint; nil when one is missing, since nothing is equal to it then.
  private func values(of object: NSManagedObject, _ properties: [String]) -> [Value]? {
    var values: [Value] = []
    for name in properties {
      guard let ordinal = object.compiledEntity.ordinal(of: name) else { return nil }
      let value = object.packedValue(object.compiledEntity.properties[ordinal])
      if value == .null { return nil }
      values.append(value)
    }
    return values
  }

  /// Saved objects that keep values which unsaved ones have too.
  private func savedObjects(
    _ entity: CompiledEntity, _ properties: [String], _ wanted: [[Value]]
  ) throws -> [[Value]: NSManagedObject] {
    var found: [[Value]: NSManagedObject] = [:]
    let slice = 500
    for start in stride(from: 0, to: wanted.count, by: slice) {
      let group = wanted[start..<min(start + slice, wanted.count)]
      for object in try fetch(entity, properties, group) where object.registration == .persistent {
        object.realizeIfNeeded()
        guard let values = values(of: object, properties) else { continue }
        found[values] = object
      }
    }
    return found
  }

  /// One statement for many values: exact for one property, a superset for several.
  private func fetch(
    _ entity: CompiledEntity, _ properties: [String], _ wanted: ArraySlice<[Value]>
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
    request.includesPendingChanges = false
    request.affectedStores = [store]
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: properties.enumerated().map { index, name in
        NSPredicate(
          format: "%K IN %@",
          argumentArray: [name, Value.list(Array(Set(wanted.map { $0[index] })))])
      })
    return try context.fetch(request)
  }
}
