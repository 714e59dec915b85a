internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Passes the conflicts of a failed commit to the context's merge policy.
struct ConflictResolver {
  let context: NSManagedObjectContext
  let store: NSPersistentStore
  let position: Int

  /// Changes the objects so that a retry can succeed.
  ///
  /// - Returns: Whether the objects that caused the conflicts were found.
  /// - Throws: The error of the policy; by default, `CocoaError` 133020 or 133021 with all
  ///   conflicts.
  func resolve(_ conflicts: [StoreConflict]) throws -> Bool {
    let policy = context.mergePolicy as? NSMergePolicy ?? .error
    let constraints = try constraintConflicts(conflicts)
    // The error policy and custom policies may pass on the conflicts or read their values.
    let isCustom = type(of: policy) != NSMergePolicy.self && policy.readsValues
    if policy.mergeType == .errorMergePolicyType || isCustom {
      for conflict in constraints { conflict.keepValues() }
    }
    let found: [Any] = mergeConflicts(conflicts) + constraints
    try policy.resolve(mergeConflicts: found)
    DeleteRules(in: context).apply()
    try WillSaveHooks.runOfResolved(in: context)
    return !found.isEmpty
  }

  // MARK: Versions and references

  private func mergeConflicts(_ conflicts: [StoreConflict]) -> [NSMergeConflict] {
    let lost = conflicts.compactMap { conflict -> NSManagedObject? in
      if case .missingDestination(let id) = conflict { object(id) } else { nil }
    }
    let references = LostReference.all(to: lost, in: context)
    var reported: Set<ObjectIdentifier> = []
    return conflicts.compactMap { conflict -> NSMergeConflict? in
      switch conflict {
      case .constraint: return nil
      case .version(let id, let expected, .found(let row)):
        return object(id).map { NSMergeConflict($0, expected: expected, stored: row) }
      case .version(let id, let expected, .deleted):
        guard let object = object(id), reported.insert(ObjectIdentifier(object)).inserted else {
          return nil
        }
        return NSMergeConflict(
          object, expected: expected, stored: nil,
          cause: references[ObjectIdentifier(object)].map { .lostDestination($0) } ?? .version)
      case .missingDestination(let id):
        guard let object = object(id), reported.insert(ObjectIdentifier(object)).inserted else {
          return nil
        }
        return NSMergeConflict(
          object, expected: object.row.version, stored: nil,
          cause: .lostDestination(references[ObjectIdentifier(object)] ?? []))
      case .remainingReferences(let id, let ordinal, let keys):
        guard let object = object(id) else { return nil }
        return NSMergeConflict(
          object, expected: object.row.version, stored: object.row,
          cause: .remainingReferences(
            RemainingReferences(target: object, ordinal: ordinal, keys: keys)))
      }
    }
  }

  private func object(_ id: ObjectKey) -> NSManagedObject? {
    context.registry.identityMap.object(
      store: position, root: context.model.root(of: id), key: id.key)
  }

  // MARK: Constraints

  /// Returns the conflicts under all constraints of each inheritance tree with a violated
  /// constraint.
  ///
  /// A store may report only the first of several constraints that a row violates.
  private func constraintConflicts(
    _ conflicts: [StoreConflict]
  ) throws -> [NSConstraintConflict] {
    let entities = context.model.entities
    var roots: [Int] = []
    for case .constraint(_, let entityIndex, _) in conflicts {
      let root = entities[entityIndex].rootIndex
      if !roots.contains(root) { roots.append(root) }
    }
    return try roots.flatMap { entities[entities[$0].subtree] }.flatMap { entity in
      try entity.uniquenessConstraints.flatMap { try self.conflicts(under: $0, of: entity) }
    }
  }

  /// An object's values under a constraint, in the order of the constraint's properties.
  ///
  /// Most constraints have one property, whose value needs no array.
  private struct HeldValues: Hashable {
    let first: Value
    let others: [Value]

    subscript(index: Int) -> Value { index == 0 ? first : others[index - 1] }
  }

  /// Objects with the same values under a constraint.
  private struct Group {
    let values: HeldValues
    let first: NSManagedObject
    /// The objects after the first.
    var others: [NSManagedObject] = []
    /// The saved object with these values, if there is one.
    var saved: NSManagedObject?

    /// The conflict of the group; nil if only one object has the values.
    func conflict(_ constraint: [String]) -> NSConstraintConflict? {
      guard saved != nil || !others.isEmpty else { return nil }
      let objects = ([first] + others).filter { $0 !== saved }
      guard objects.count > 1 || saved != nil && !objects.isEmpty else { return nil }
      return NSConstraintConflict(
        constraint: constraint, database: saved, conflicting: objects)
    }
  }

  /// Returns all conflicts under one constraint, in the order in which the objects were changed.
  private func conflicts(
    under constraint: [String], of entity: CompiledEntity
  ) throws -> [NSConstraintConflict] {
    var groups: [Group] = []
    var places: [HeldValues: Int] = [:]
    for list in [context.unitOfWork.inserted, context.unitOfWork.updated] {
      places.reserveCapacity(places.count + list.count)
      groups.reserveCapacity(groups.count + list.count)
      for object in list
      where entity.subtree.contains(object.compiledEntity.index)
        && Int(object.storePosition) == position
      {
        guard let values = values(of: object, constraint) else { continue }
        let place = Self.place(&places[values], at: groups.count)
        if place == groups.count {
          groups.append(Group(values: values, first: object))
        } else {
          groups[place].others.append(object)
        }
      }
    }
    try findSaved(&groups, places, entity, constraint)
    return groups.compactMap { $0.conflict(constraint) }
  }

  /// Returns `known`, after setting a nil `known` to `new`. The caller needs only one dictionary
  /// lookup.
  private static func place(_ known: inout Int?, at new: Int) -> Int {
    if let known { return known }
    known = new
    return new
  }

  /// Returns the object's values under a constraint; nil if a value is missing, because a missing
  /// value equals no other value.
  private func values(of object: NSManagedObject, _ properties: [String]) -> HeldValues? {
    guard let first = properties.first.flatMap({ value(of: object, $0) }) else { return nil }
    var others: [Value] = []
    for name in properties.dropFirst() {
      guard let value = value(of: object, name) else { return nil }
      others.append(value)
    }
    return HeldValues(first: first, others: others)
  }

  /// Returns the value of a property in the form of a row; nil if the value is missing or has no
  /// column, because stores do not check values without a column.
  private func value(of object: NSManagedObject, _ name: String) -> Value? {
    guard let ordinal = object.compiledEntity.ordinal(of: name) else { return nil }
    let property = object.compiledEntity.properties[ordinal]
    guard property.slot != nil else { return nil }
    switch object.packedValue(property) {
    case .null: return nil
    case .object(var destination):
      // Only an edit names the destination's store.
      destination.storeToken = 0
      return .object(destination)
    case let value: return value
    }
  }

  /// Finds the saved objects with the same values as unsaved objects.
  private func findSaved(
    _ groups: inout [Group], _ places: [HeldValues: Int], _ entity: CompiledEntity,
    _ properties: [String]
  ) throws {
    let slice = 500
    for start in stride(from: 0, to: groups.count, by: slice) {
      let wanted = groups[start..<min(start + slice, groups.count)].map(\.values)
      for object in try fetch(entity, properties, wanted) where object.registration == .persistent {
        object.realizeIfNeeded()
        var place = values(of: object, properties).flatMap { places[$0] }
        if place == nil, !object.isMarkedUpdated, object.contents.hasValues {
          // The context may have registered the object with an older row. If the object has unsaved
          // changes, the store also reports a conflict of versions.
          let version = object.row.version
          ObjectRefresh(in: context).refreshRow(of: object)
          guard object.contents.hasValues, object.row.version != version else { continue }
          context.unitOfWork.noteResolution(of: object)
          place = values(of: object, properties).flatMap { places[$0] }
        }
        if let place { groups[place].saved = object }
      }
    }
  }

  /// Fetches the objects with given values in one statement; for several properties, the result may
  /// contain more objects.
  private func fetch(
    _ entity: CompiledEntity, _ properties: [String], _ wanted: [HeldValues]
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
    request.includesPendingChanges = false
    request.affectedStores = [store]
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: properties.enumerated().map { index, name in
        NSPredicate(
          format: "%K IN %@",
          argumentArray: [
            name, Value.list(Self.distinct(wanted.map { $0[index] }, properties.count)),
          ])
      })
    return try context.results(of: request)
  }

  /// Returns the values without duplicates; the values of a single property are already distinct.
  private static func distinct(_ values: [Value], _ propertyCount: Int) -> [Value] {
    propertyCount == 1 ? values : Array(Set(values))
  }
}

extension StoreConflict {
  /// The rows whose versions in the row cache may differ from those in the store.
  var outdatedRows: [ObjectKey] {
    switch self {
    case .version(let id, _, _), .missingDestination(let id): [id]
    case .remainingReferences(_, _, let keys): keys
    case .constraint: []
    }
  }
}
