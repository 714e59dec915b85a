package import OpenObjectModel
package import OpenStoreContract

/// Data that a migration removes, with the statement that counts the affected rows.
package struct MigrationLoss: Sendable {
  /// The name of the entity in the source model.
  package var entityName: String
  /// The name of the removed property; nil if the entity and all its rows are removed.
  package var propertyName: String?
  /// The statement that counts the affected rows.
  package var rows: SQLSelect
  /// Whether to report the loss even if no rows are affected.
  package var isCertain: Bool
}

extension SchemaMigration {
  /// The data that the migration removes from the tables of the store.
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

extension SchemaMigration {
  /// Requires that every row has a value for every property that the transition requires.
  ///
  /// - Parameter session: The connection to the store.
  /// - Throws: `StoreError` with code `.unfitValue` and a `MissingValues` as the underlying error
  ///   if a row lacks such a value; `StoreError` with the code of the database's failure if the
  ///   rows cannot be counted.
  package func requireValues(in session: some SQLSession) throws(StoreError) {
    var missing: [MissingValues.Property] = []
    for (index, step) in transition.entities.enumerated() {
      guard let step else { continue }
      let from = transition.source.entities[step.sourceIndex]
      let to = transition.destination.entities[index]
      // A store of a configuration has no tables of other entities.
      guard origins.existing[source.entities[from.index].table] != nil else { continue }
      for ordinal in step.requiredProperties {
        let former = step.properties[ordinal].map { from.properties[$0] }
        if try session.count(rows(of: from, without: former)) > 0 {
          missing.append(.init(entityName: to.name, propertyName: to.properties[ordinal].name))
        }
      }
    }
    guard let first = missing.first else { return }
    let names = missing.map { "\($0.entityName).\($0.propertyName)" }.joined(separator: ", ")
    throw StoreError(
      .unfitValue,
      "Some rows have no value for required properties: \(names). This step of the migration did not change the store.",
      path: session.path, entityName: first.entityName, propertyName: first.propertyName,
      underlying: MissingValues(properties: missing))
  }

  /// Returns the statement that counts the rows of an entity without a value for a property. The
  /// statement counts all rows if the property is nil or has no column.
  private func rows(
    of entity: CompiledEntity, without property: CompiledProperty?
  ) -> SQLSelect {
    var select = rows(of: entity)
    guard let slot = property?.slot else { return select }
    let column = source.entities[entity.index].columns[slot].name
    select.condition = .all(
      [select.condition, .isNull(.column(table: nil, column))].compactMap { $0 })
    return select
  }
}

extension UniquenessMap {
  private static let exampleCount: Int64 = 5

  /// The statement that returns examples of values that several rows have, with one column for each
  /// property of the constraint.
  package var duplicates: SQLSelect {
    let columns = self.columns.map { SQLExpression.column(table: nil, $0) }
    var select = SQLSelect(columns, from: table, where: .all(columns.map { .isNotNull($0) }))
    select.groups = columns
    select.groupCondition = .binary(.greater, .countAll, .integer(1))
    select.limit = .integer(Self.exampleCount)
    return select
  }

  /// Returns the error for rows that violate the uniqueness constraint of the new model.
  ///
  /// The code is `.constraintConflict`, and the underlying error is a `DuplicateValues`.
  ///
  /// - Parameters:
  ///   - model: The new model.
  ///   - path: The path of the store; nil if the path is unknown.
  ///   - nativeCode: The error code of the database.
  ///   - values: The rows that ``duplicates`` returned, as texts.
  package func error(
    in model: CompiledModel, path: String?, _ nativeCode: Int32, _ values: [[String]]
  ) -> StoreError {
    let name = model.entities[entityIndex].name
    let list = properties.joined(separator: ", ")
    return StoreError(
      .constraintConflict,
      "Several rows have the same values of \(list), which must be unique in the new model. This step of the migration did not change the store. "
        + "Change the values with the model that the store was written with, and migrate the store again.",
      path: path, entityName: name, propertyName: list, nativeCode: nativeCode,
      underlying: DuplicateValues(entityName: name, properties: properties, values: values))
  }
}
