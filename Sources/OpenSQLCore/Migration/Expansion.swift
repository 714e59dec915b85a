import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// A check that a migration adds only tables, columns and indexes that programs with the earlier
/// version of the model can ignore.
///
/// Programs with the earlier version keep the store open, insert rows without the new columns, and
/// do not maintain new relationships.
package struct Expansion {
  private let migration: SchemaMigration
  private let steps: [MigrationStep]
  private let source: CompiledModel
  private let destination: CompiledModel
  private let dialect: any SQLDialect
  /// The names of the tables that the steps create.
  private let newTables: Set<String>
  /// The columns that the steps add, each as the names of its table and of the column.
  private let newColumns: Set<[String]>

  /// Creates a check of the steps that change the tables in place.
  ///
  /// - Parameters:
  ///   - migration: The migration to check.
  ///   - steps: The steps of the migration that change the tables in place.
  ///   - dialect: The dialect of the statements in ``obstacles``.
  package init(
    _ migration: SchemaMigration, _ steps: [MigrationStep], _ dialect: some SQLDialect
  ) {
    self.migration = migration
    self.steps = steps
    self.dialect = dialect
    source = migration.transition.source
    destination = migration.transition.destination
    newTables = Set(
      steps.compactMap { step in
        if case .createTable(let table) = step.statement { table.name } else { nil }
      })
    newColumns = Set(
      steps.compactMap { step in
        guard case .alter(.addColumn(let column, let table)) = step.statement else { return nil }
        return [table, column.name]
      })
  }

  /// The reasons why programs with the earlier version cannot ignore the changes, as sentences;
  /// empty if these programs can ignore all changes.
  package var obstacles: [String] {
    var found = migration.copyReasons
    found += migration.removedEntities.map { "The entity \($0.name) is removed." }
    found += migration.removedProperties.map { "\($0.entity.name).\($0.property.name) is removed." }
    for (entity, step) in zip(destination.entities, migration.transition.entities) {
      if let step {
        found += obstacles(changing: entity, step)
      } else {
        found += obstacles(adding: entity)
      }
    }
    // What the models do not show, such as another type of a column.
    if found.isEmpty {
      found = steps.filter { !isAddition($0) }.map {
        "The migration changes a table: \($0.text(for: dialect))"
      }
    }
    return found
  }

  /// The statements that set the default values of new columns for rows that the earlier version
  /// inserts.
  package var defaults: [SQLStatement] {
    steps.flatMap { step -> [SQLStatement] in
      guard case .update(let update) = step.statement else { return [] }
      return zip(update.columns, update.values).map {
        .alter(.setDefault($0, $1, table: update.table))
      }
    }
  }

  /// The names of the existing tables that the steps change, sorted.
  package var changedTables: [String] { Set(newColumns.compactMap(\.first)).sorted() }

  // MARK: Entities

  private func obstacles(adding entity: CompiledEntity) -> [String] {
    if entity.superIndex.map({ isOld($0) }) == true {
      return ["The new entity \(entity.name) inherits from an entity of the earlier version."]
    }
    return declaredProperties(of: entity).filter { property in
      property.relationship.map { isOld($0.destinationIndex) } == true
    }.map { "\(entity.name).\($0.name) is a relationship to an entity of the earlier version." }
  }

  private func obstacles(changing entity: CompiledEntity, _ step: EntityTransition) -> [String] {
    let old = source.entities[step.sourceIndex]
    var found: [String] = []
    if old.name != entity.name { found.append("The entity \(old.name) is renamed.") }
    for property in declaredProperties(of: entity) {
      let place = "\(entity.name).\(property.name)"
      guard let ordinal = step.properties[property.ordinal] else {
        if property.isTransient { continue }
        if property.relationship != nil { found.append("The relationship \(place) is new.") }
        if property.attribute?.derivation != nil, old.ordinal(of: property.name) == nil {
          found.append("The derived attribute \(place) is new.")
        }
        if !property.isOptional, property.attribute?.defaultValue == .null {
          found.append("\(place) is required and has no default value.")
        }
        continue
      }
      let former = old.properties[ordinal]
      if former.name != property.name { found.append("\(entity.name).\(former.name) is renamed.") }
      if former.isOptional, !property.isOptional { found.append("\(place) is no longer optional.") }
      if former.relationship?.isToMany != property.relationship?.isToMany
        || former.relationship?.isOrdered != property.relationship?.isOrdered
      {
        found.append(
          "The relationship \(place) changes between to-one and to-many, or between ordered and unordered."
        )
      }
    }
    return found
  }

  private func declaredProperties(of entity: CompiledEntity) -> [CompiledProperty] {
    entity.properties.filter { $0.declaringEntityIndex == entity.index }
  }

  private func isOld(_ index: Int) -> Bool { migration.transition.entities[index] != nil }

  // MARK: Statements

  private func isAddition(_ step: MigrationStep) -> Bool {
    switch step.statement {
    case .createTable, .alter(.addColumn): true
    case .createIndex(let index): step.uniqueness == nil || newTables.contains(index.table)
    // Rows of some entities of a table only cannot have a default value of their own.
    case .update(let update):
      update.condition == nil
        && newColumns.isSuperset(of: update.columns.map { [update.table, $0] })
    default: false
    }
  }
}
