package import OpenObjectModel
package import OpenStoreContract

/// What a migration drops, and the statement that counts it.
package struct MigrationLoss: Sendable {
  /// The entity, by its name in the source model.
  package var entityName: String
  /// The property; nil for the entity with all of its rows.
  package var propertyName: String?
  package var rows: SQLSelect
  /// Whether it is a loss even when nothing is counted.
  package var isCertain: Bool
}

extension SchemaMigration {
  /// All that is dropped, of tables that the store has.
  package var losses: [MigrationLoss] {
    var losses: [MigrationLoss] = []
    for entity in removedEntities where origins.existing[source.entities[entity.index].table] != nil
    {
      losses.append(
        .init(entityName: entity.name, propertyName: nil, rows: rows(of: entity), isCertain: true))
    }
    for (entity, property) in removedProperties {
      guard let rows = rows(with: property, of: entity) else { continue }
      losses.append(
        .init(
          entityName: entity.name, propertyName: property.name, rows: rows, isCertain: true))
    }
    for (property, surplus) in narrowedRelationships {
      let owner = transition.source.entities[property.declaringEntityIndex]
      losses.append(
        .init(
          entityName: owner.name, propertyName: property.name, rows: surplus, isCertain: false))
    }
    return losses
  }
}

extension UniquenessMap {
  private static let exampleCount: Int64 = 5

  /// Some of the values that several rows have.
  package var duplicates: SQLSelect {
    let columns = self.columns.map { SQLExpression.column(table: nil, $0) }
    var select = SQLSelect(columns, from: .table(table, alias: nil))
    select.condition = .all(columns.map { .isNotNull($0) })
    select.groups = columns
    select.groupCondition = .binary(.greater, .countAll, .integer(1))
    select.limit = .integer(Self.exampleCount)
    return select
  }

  /// The error for rows that a constraint of a new model does not allow.
  ///
  /// - Parameter values: What `duplicates` found.
  package func error(
    in model: CompiledModel, path: String?, _ nativeCode: Int32, _ values: [[String]]
  ) -> StoreError {
    let name = model.entities[entityIndex].name
    let list = properties.joined(separator: ", ")
    return StoreError(
      .constraintConflict,
      "Rows of the store have the same values of \(list), which the new model wants to be unique. Change them before "
        + "the migration, with the model that the store was written with; nothing was changed.",
      path: path, entityName: name, propertyName: list, nativeCode: nativeCode,
      underlying: DuplicateValues(entityName: name, properties: properties, values: values))
  }
}
