internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The check of one store: first for damage, then for the existing rows, and then of each row.
struct StoreCheck {
  private let store: NSPersistentStore
  private let model: CompiledModel
  private let plans: [EntityCheck]
  /// Whether the store's configuration contains each entity; nil if it contains all entities.
  private let held: [Bool]?

  init(_ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator) {
    let model = coordinator.model
    self.store = store
    self.model = model
    plans = model.entities.map { EntityCheck($0, model: model) }
    held = coordinator.heldEntities(in: store)
  }

  /// Returns all problems of the store.
  func findings() throws -> [IntegrityFinding] {
    do throws(StoreError) {
      let damage = try (store.backend as? any DamageReporting)?.damage() ?? []
      let roots = readableRoots(damage)
      let rows = try presentRows(of: roots)
      var found = damage.map(finding)
      // Such a value is read as nil.
      let unread = damage.filter { $0.kind == .missingFile || $0.kind == .wrongType }
      let places = Set(unread.map(place))
      found += try check(roots, rows).filter { !places.contains(place($0)) }
      return found
    } catch {
      throw CocoaError.reading(error)
    }
  }

  /// Returns the root entities whose rows can be read. Root entities with rows of unknown entities
  /// are excluded, and also those outside the store's configuration, which may have no table.
  private func readableRoots(_ damage: [StoreDamage]) -> [CompiledEntity] {
    let broken = Set(damage.filter { $0.kind == .unknownEntity }.compactMap(\.entityIndex))
    return model.entities.filter { root in
      root.superIndex == nil && !broken.contains(root.index)
        && root.subtree.contains { held?[$0] ?? true }
    }
  }

  // MARK: Rows

  private func presentRows(of roots: [CompiledEntity]) throws(StoreError) -> PresentRows {
    var rows = PresentRows(readableRoots: Set(roots.map(\.index)))
    for root in roots {
      try forEachRow(of: root) { row in
        rows.add(row, root: root.index, plans[row.entityIndex].oneToOnes)
      }
    }
    return rows
  }

  private func check(
    _ roots: [CompiledEntity], _ rows: PresentRows
  ) throws(StoreError) -> [IntegrityFinding] {
    var found: [IntegrityFinding] = []
    for root in roots {
      var constraints = ConstraintCheck(root: root)
      try forEachRow(of: root) { row in
        let plan = plans[row.entityIndex]
        for problem in plan.problems(of: row, among: rows) {
          found.append(finding(problem, plan.entity, row.key))
        }
        for problem in constraints.problems(of: row) {
          found.append(finding(problem, plan.entity, row.key))
        }
      }
    }
    return found
  }

  private func forEachRow(
    of root: CompiledEntity, _ body: (Row) -> Void
  ) throws(StoreError) {
    var plan = FetchPlan(shape: FetchShape(entity: root))
    // The damage report of the store already contains all values that cannot be read.
    plan.damagedValues = .readAsNull
    try store.backend.forEachChunk(matching: plan) { chunk in chunk.forEachRow(body) }
  }

  // MARK: Findings

  private func finding(
    _ problem: RowProblem, _ entity: CompiledEntity, _ key: Int64
  ) -> IntegrityFinding {
    let related = problem.related.map { index, key in
      NSManagedObjectID(store: store, entity: model.entities[index], key: key)
    }
    return IntegrityFinding(
      problem.kind, entityName: entity.name, propertyName: problem.propertyName,
      objectID: NSManagedObjectID(store: store, entity: entity, key: key), relatedID: related,
      message: problem.kind.sentence(related?.uriRepresentation().absoluteString ?? ""))
  }

  private func finding(_ damage: StoreDamage) -> IntegrityFinding {
    let entity = damage.entityIndex.map { model.entities[$0] }
    let id = entity.flatMap { entity in
      damage.key.map { NSManagedObjectID(store: store, entity: entity, key: $0) }
    }
    let kind = IntegrityFinding.Kind(damage.kind)
    let related = relatedID(damage)
    return IntegrityFinding(
      kind, entityName: entity?.name, propertyName: damage.propertyName, objectID: id,
      relatedID: related,
      message: kind.sentence(related?.uriRepresentation().absoluteString ?? damage.detail))
  }

  /// Returns the id of the second object of a join row, whose key is in the detail of the damage.
  private func relatedID(_ damage: StoreDamage) -> NSManagedObjectID? {
    guard damage.kind == .orphanedJoinRow || damage.kind == .oneSidedJoinRow,
      let entity = damage.entityIndex.map({ model.entities[$0] }),
      let ordinal = damage.propertyName.flatMap({ entity.ordinal(of: $0) }),
      let relationship = entity.properties[ordinal].relationship, let key = Int64(damage.detail)
    else { return nil }
    return NSManagedObjectID(
      store: store, entity: model.entities[relationship.destinationIndex], key: key)
  }

  private func place(_ damage: StoreDamage) -> String {
    let root = damage.entityIndex.map { model.entities[$0].rootIndex } ?? -1
    return "\(root) \(damage.key ?? 0) \(damage.propertyName ?? "")"
  }

  /// Returns the place of a finding that concerns only the value of one property; otherwise an
  /// empty string.
  private func place(_ finding: IntegrityFinding) -> String {
    let kinds: [IntegrityFinding.Kind] = [
      .missingValue, .danglingReference, .wrongEntity, .oneSidedInverse,
    ]
    guard kinds.contains(finding.kind), let id = finding.objectID else { return "" }
    return "\(id.compiledEntity.rootIndex) \(id.key) \(finding.propertyName ?? "")"
  }
}

extension IntegrityFinding.Kind {
  /// Creates the kind of finding for a kind of store damage.
  init(_ kind: StoreDamage.Kind) {
    self =
      switch kind {
      case .brokenFile: .brokenFile
      case .unknownEntity: .unknownEntity
      case .orphanedJoinRow: .orphanedJoinRow
      case .oneSidedJoinRow: .oneSidedInverse
      case .keysInUse: .keysInUse
      case .wrongType: .wrongType
      case .missingFile: .missingFile
      case .unusedFile: .unusedFile
      case .historyGap: .historyGap
      }
  }

  /// Returns a sentence that describes the finding, with a detail.
  func sentence(_ detail: String) -> String {
    switch self {
    case .danglingReference: "It refers to \(detail), which does not exist."
    case .wrongEntity: "It refers to \(detail), whose entity is not a valid destination."
    case .oneSidedInverse: "It refers to \(detail), which does not refer back."
    case .missingValue: "It must have a value, but has none."
    case .wrongType: "The stored value is of the type \(detail), which the property cannot have."
    case .duplicateValues: "It has the same values as \(detail), but the values must be unique."
    case .orphanedJoinRow:
      "A link to \(detail) is stored, but one of the two linked objects does not exist."
    case .missingFile: "The file \(detail) that contains the value is missing."
    case .historyGap: "The transaction after number \(detail) is missing from the history."
    case .unusedFile: "The file \(detail) does not belong to any object."
    case .brokenFile: "The file is damaged: \(detail)."
    case .unknownEntity: "The row has the entity number \(detail), which is not in the model."
    case .keysInUse: "The next object would receive the key after \(detail), which may be in use."
    case .ruleViolation: detail
    }
  }
}

extension CocoaError {
  /// Returns a store's error with Apple's code for a store that cannot be read.
  static func reading(_ error: StoreError) -> CocoaError {
    CocoaError(
      .persistentStoreOperation,
      userInfo: [NSLocalizedDescriptionKey: "\(error)", OpenStoreErrorKey: error])
  }
}
