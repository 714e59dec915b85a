internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Finds rows of one inheritance tree that violate a uniqueness constraint.
struct ConstraintCheck {
  private struct Constraint {
    var entity: CompiledEntity
    var names: [String]
    /// The first row with each combination of values.
    var first: [[Value]: (entityIndex: Int, key: Int64)] = [:]
  }

  private let model: CompiledModel
  private var constraints: [Constraint] = []

  init(root: CompiledEntity) {
    model = root.model
    for index in root.subtree {
      let entity = root.model.entities[index]
      constraints += entity.uniquenessConstraints.map { Constraint(entity: entity, names: $0) }
    }
  }

  /// Returns the constraints that a row violates together with an earlier row.
  mutating func problems(of row: Row) -> [RowProblem] {
    var problems: [RowProblem] = []
    for index in constraints.indices {
      let (entity, names) = (constraints[index].entity, constraints[index].names)
      guard entity.subtree.contains(row.entityIndex), let values = values(of: names, row) else {
        continue
      }
      if let first = constraints[index].first[values] {
        problems.append(
          RowProblem(
            kind: .duplicateValues, propertyName: names.joined(separator: ", "), related: first))
      } else {
        constraints[index].first[values] = (row.entityIndex, row.key)
      }
    }
    return problems
  }

  /// Returns the values whose combination must be unique; nil if a value is missing, because null
  /// values are never equal.
  private func values(of names: [String], _ row: Row) -> [Value]? {
    let entity = model.entities[row.entityIndex]
    var values: [Value] = []
    for name in names {
      guard let ordinal = entity.ordinal(of: name) else { return nil }
      let value = row.value(of: entity.properties[ordinal], in: model)
      if value == .null { return nil }
      values.append(value)
    }
    return values.isEmpty ? nil : values
  }
}
