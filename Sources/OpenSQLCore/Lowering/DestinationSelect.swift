import OpenStoreContract

/// A SELECT over the destinations of a to-many relationship, for the current row of an enclosing
/// SELECT.
struct DestinationSelect {
  /// The scope in which conditions on the destinations are translated.
  let scope: SelectScope
  private let storage: ToManyStorage
  private let owner: SQLExpression
  private let pairAlias: String

  init(_ path: RelationshipPath, in enclosing: SelectScope) throws(StoreError) {
    let outer = try enclosing.outer(path.level)
    let (storage, destination) = try outer.toMany(path)
    self.storage = storage
    owner = try outer.key(after: path.steps, from: path.entityIndex)
    scope = SelectScope(
      entityIndex: destination, schema: outer.schema, aliases: outer.aliases, inside: enclosing)
    if case .join = storage { pairAlias = outer.aliases.make() } else { pairAlias = scope.alias }
  }

  /// Returns a SELECT over the join rows or foreign keys. The rows of destinations in another table
  /// are not joined.
  func pairs(_ columns: [SQLExpression]) -> SQLSelect {
    var select: SQLSelect
    switch storage {
    case .foreignKey: select = SQLSelect(columns, from: scope.source)
    case .join(let side): select = SQLSelect(columns, from: .table(side.table, alias: pairAlias))
    }
    select.condition = isOwned
    return select
  }

  /// Returns a SELECT over the rows of the destinations. The condition may refer to the scope.
  func rows(_ columns: [SQLExpression], where condition: SQLExpression?) -> SQLSelect {
    var select = pairs(columns)
    if case .join(let side) = storage {
      select.joins.append(
        SQLSelect.Join(
          kind: .inner, source: scope.source,
          condition: .binary(
            .equal, .column(table: scope.alias, "Z_PK"),
            .column(table: pairAlias, side.destination))))
    }
    select.joins += scope.joins
    select.condition = condition.map { .all([isOwned, $0]) } ?? isOwned
    return select
  }

  private var isOwned: SQLExpression {
    switch storage {
    case .foreignKey(let key): .binary(.equal, .column(table: scope.alias, key.column), owner)
    case .join(let side): .binary(.equal, .column(table: pairAlias, side.source), owner)
    }
  }
}
