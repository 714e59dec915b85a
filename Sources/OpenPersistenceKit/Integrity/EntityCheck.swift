internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The checks of the rows of one entity.
struct EntityCheck {
  let entity: CompiledEntity
  private let required: [CompiledProperty]
  private let references: [ForeignKeyCheck]
  /// The relationships whose inverse is stored in the destination's row.
  var oneToOnes: [ForeignKeyCheck] { references.filter { $0.inverse != nil } }

  init(_ entity: CompiledEntity, model: CompiledModel) {
    self.entity = entity
    required = entity.properties.filter { Self.isRequired($0) }
    references = entity.properties.compactMap { ForeignKeyCheck($0, in: entity, of: model) }
  }

  /// Returns whether rows must have a value of a property. An element of an optional composite
  /// attribute is required only if another element has a value.
  private static func isRequired(_ property: CompiledProperty) -> Bool {
    !property.isOptional && !property.isTransient && property.slot != nil
      && property.attribute?.derivation == nil
  }

  /// Returns whether a row lacks a value of a required property.
  private func lacks(_ property: CompiledProperty, _ row: Row) -> Bool {
    guard let slot = property.slot, row.isNull(slot) else { return false }
    guard let group = entity.optionalGroup(of: property) else { return true }
    return group.contains { element in element.slot.map { !row.isNull($0) } ?? false }
  }

  func problems(of row: Row, among rows: PresentRows) -> [RowProblem] {
    var problems: [RowProblem] = []
    for property in required where lacks(property, row) {
      problems.append(RowProblem(kind: .missingValue, propertyName: property.name))
    }
    for reference in references {
      if let problem = reference.problem(of: row, among: rows) { problems.append(problem) }
    }
    return problems
  }
}

/// The check of one to-one relationship.
struct ForeignKeyCheck {
  let name: RelationshipName
  let slot: Int
  let offset: Int
  /// The inverse relationship, if it is also a to-one relationship.
  let inverse: RelationshipName?
  private let propertyName: String
  private let destination: CompiledEntity
  /// The slot of the destination's entity discriminator; nil if the row does not store one.
  private let discriminatorSlot: Int?
  private let discriminatorOffset: Int

  init?(_ property: CompiledProperty, in entity: CompiledEntity, of model: CompiledModel) {
    guard let relationship = property.relationship, let slot = property.slot else { return nil }
    name = RelationshipName(property)
    self.slot = slot
    offset = property.byteOffset
    propertyName = property.name
    destination = model.entities[relationship.destinationIndex]
    let back = relationship.inverseOrdinal.map {
      model.entities[relationship.destinationIndex].properties[$0]
    }
    inverse = back.flatMap { $0.relationship?.isToMany == false ? RelationshipName($0) : nil }
    discriminatorSlot = relationship.discriminatorSlot
    discriminatorOffset = relationship.discriminatorSlot.map { RowLayout.slot($0, of: entity) } ?? 0
  }

  func problem(of row: Row, among rows: PresentRows) -> RowProblem? {
    guard !row.isNull(slot), rows.readableRoots.contains(destination.rootIndex) else { return nil }
    let key = row.integer(at: offset)
    guard let actual = rows.entity(root: destination.rootIndex, key: key) else {
      return problem(.danglingReference, destination.index, key)
    }
    guard destination.subtree.contains(actual), discriminatorMatches(of: row, actual) else {
      return problem(.wrongEntity, actual, key)
    }
    if let inverse, rows.destination(of: inverse, source: key) != row.key {
      return problem(.oneSidedInverse, actual, key)
    }
    return nil
  }

  /// Returns whether the stored entity discriminator matches the destination's actual entity.
  private func discriminatorMatches(of row: Row, _ actual: Int) -> Bool {
    guard let discriminatorSlot, !row.isNull(discriminatorSlot) else { return true }
    return row.integer(at: discriminatorOffset) == Int64(actual) + 1
  }

  private func problem(
    _ kind: IntegrityFinding.Kind, _ entityIndex: Int, _ key: Int64
  ) -> RowProblem {
    RowProblem(kind: kind, propertyName: propertyName, related: (entityIndex, key))
  }
}
