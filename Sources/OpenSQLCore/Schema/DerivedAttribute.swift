package import OpenObjectModel

/// A derived attribute, with the statements that update its values in a store without triggers.
package struct DerivedAttribute: Sendable {
  /// The kind of derivation.
  package enum Kind: Sendable {
    /// The time of the save.
    case now
    /// A value of the row itself, or of a row at the end of to-one relationships. A text may be
    /// converted by a function.
    case value(Derivation.TextFunction?, hops: [Hop], column: String)
    /// The number of members of a relationship, if `summand` is nil; otherwise, the sum of the
    /// column `summand` over the members.
    case members(ToManyStorage, destination: EntityMap, summand: String?)
  }

  /// A to-one relationship in the path to a value.
  package struct Hop: Sendable {
    /// The foreign key column, in the table of the previous step.
    package var key: String
    /// The table of the destination.
    package var table: String
  }

  /// The entity that declares the attribute.
  package let map: EntityMap
  /// The column of the attribute.
  package let column: SlotColumn
  package let kind: Kind
  let property: CompiledProperty
  private let schema: SchemaMap

  fileprivate init?(_ property: CompiledProperty, _ map: EntityMap, in schema: SchemaMap) {
    guard let derivation = property.attribute?.derivation, let slot = property.slot,
      let kind = Self.kind(derivation, map, in: schema)
    else { return nil }
    self.map = map
    column = map.columns[slot]
    self.kind = kind
    self.property = property
    self.schema = schema
  }

  private static func kind(
    _ derivation: Derivation, _ map: EntityMap, in schema: SchemaMap
  ) -> Kind? {
    let resolving = DerivationTriggers(schema: schema, dialect: schema.dialect)
    func value(_ text: Derivation.TextFunction?, _ steps: [String]) -> Kind? {
      guard let (hops, column) = resolving.resolve(steps, from: map) else { return nil }
      return .value(text, hops: hops, column: column)
    }
    func members(_ name: String, _ attribute: String?) -> Kind? {
      guard let (property, destination) = resolving.relationship(name, of: map),
        let storage = schema.storage(of: property)
      else { return nil }
      let summand = attribute.flatMap { destination.column(named: $0) }
      if attribute != nil, summand == nil { return nil }
      return .members(storage, destination: destination, summand: summand)
    }
    switch derivation {
    case .now: return .now
    case .value(let steps): return value(nil, steps)
    case .text(let text, let steps): return value(text, steps)
    case .count(let name): return members(name, nil)
    case .sum(let name, let attribute): return members(name, attribute)
    }
  }

  // MARK: Which rows

  /// The columns of a row itself that the derived value depends on; nil if the value depends on all
  /// columns.
  package var ownColumns: Set<String>? {
    switch kind {
    case .now: nil
    case .value(_, let hops, let column): [hops.first?.key ?? column]
    case .members: []
    }
  }

  /// A statement that selects the primary keys of the objects whose relationship contains given
  /// members; nil if the value is not computed from members.
  ///
  /// The caller binds the keys of the members as an array.
  package var ownersOfMembers: SQLSelect? {
    guard case .members(let storage, _, _) = kind else { return nil }
    let (table, key) = storage.owners
    return SQLSelect(
      [key], from: table,
      where: .all([.isAny(.named(storage.member), .callerKeys), .isNotNull(.named(key))]))
  }

  /// The columns of members that the derived value depends on; empty if the value is not computed
  /// from members.
  package var memberColumns: Set<String> {
    guard case .members(let storage, _, let summand) = kind else { return [] }
    var columns = Set(summand.map { [$0] } ?? [])
    if case .foreignKey(let key) = storage { columns.insert(key.column) }
    return columns
  }

  /// The tables in the path to the value, each with a column and a statement; empty if the
  /// attribute has no such path.
  ///
  /// The value depends on the column of the table. The caller binds keys of the table's rows as an
  /// array, and the statement returns the keys of the entity's rows whose paths contain these rows.
  package var parameters: [(table: String, column: String, owners: SQLSelect)] {
    guard case .value(_, let hops, let column) = kind else { return [] }
    return hops.indices.map { index in
      let watched = index + 1 < hops.count ? hops[index + 1].key : column
      let owners = SQLSelect(["Z_PK"], from: map.table, where: Self.reaches(over: hops[...index]))
      return (hops[index].table, watched, owners)
    }
  }

  /// Returns the condition that relationships lead to one of the rows whose keys are bound.
  private static func reaches(over hops: ArraySlice<Hop>) -> SQLExpression {
    guard let hop = hops.first else { return .isAny(.named("Z_PK"), .callerKeys) }
    if hops.count == 1 { return .isAny(.named(hop.key), .callerKeys) }
    return .isInResult(
      .named(hop.key),
      SQLSelect(["Z_PK"], from: hop.table, where: reaches(over: hops.dropFirst())))
  }

  /// The tables in the path to the value, each with a statement; empty if the attribute has no such
  /// path.
  ///
  /// The caller binds keys of the entity's rows as an array, and the statement returns the keys of
  /// the table's rows in the paths of these rows.
  package var ways: [(table: String, keys: SQLSelect)] {
    guard case .value(_, let hops, _) = kind else { return [] }
    var ways: [(table: String, keys: SQLSelect)] = []
    var keys = SQLSelect(
      [hops.first?.key ?? ""], from: map.table, where: .isAny(.named("Z_PK"), .callerKeys))
    for index in hops.indices {
      ways.append((hops[index].table, keys))
      guard index + 1 < hops.count else { break }
      keys = SQLSelect(
        [hops[index + 1].key], from: hops[index].table, where: .isInResult(.named("Z_PK"), keys))
    }
    return ways
  }

  /// The table and the column with the values from which the value is computed; nil for a count and
  /// for the time of the save.
  fileprivate var source: (table: String, column: String)? {
    switch kind {
    case .now: nil
    case .value(_, let hops, let column): (table: hops.last?.table ?? map.table, column: column)
    case .members(_, let destination, let summand):
      summand.map { (table: destination.table, column: $0) }
    }
  }

  // MARK: Values

  private static let row = "derived"

  /// The condition that a row of the entity or a subentity has one of the keys that are bound as an
  /// array.
  private var isAffected: SQLExpression {
    .all([
      .isAny(.column(table: Self.row, "Z_PK"), .callerKeys),
      schema.numbers.condition(.column(table: Self.row, "Z_ENT"), in: map.entity.subtree),
    ])
  }

  /// The value before a text is converted; nil for the time of the save.
  private var value: SQLExpression? {
    let values = DerivationTriggers(schema: schema, dialect: schema.dialect)
    switch kind {
    case .now: return nil
    case .value(_, let hops, let column):
      return values.value(behind: hops, column) { $0 }
    case .members(let storage, let destination, let summand):
      guard let summand else { return values.count(storage) }
      return DerivationTriggers.sum(
        of: summand, destination.table, storage, .column(table: Self.row, "Z_PK"),
        present: schema.dialect.firstPresentFunction)
    }
  }

  /// The statement that writes the new values of the rows whose keys are bound as an array, and
  /// returns the changed rows; nil if the library computes the values. For `Kind.now`, the time is
  /// bound before the keys.
  package var computation: SQLUpdate? {
    if case .value(.some, _, _) = kind { return nil }
    var condition = isAffected
    if let value {
      let old = SQLExpression.column(table: Self.row, column.name)
      condition = .all([isAffected, .binary(.distinct, old, value)])
    }
    var update = SQLUpdate(
      map.table, set: [(column.name, value ?? .parameter(.caller))], where: condition)
    update.alias = Self.row
    update.returning = ["Z_ENT", "Z_PK"]
    return update
  }

  /// A statement that selects the entity number, the primary key, the stored value and the source
  /// value of the rows whose keys the caller binds as an array. The library computes the new values
  /// from the source values.
  package var sources: SQLSelect {
    var select = SQLSelect(
      ["Z_ENT", "Z_PK", column.name].map { .column(table: Self.row, $0) } + [value ?? .null],
      from: .table(map.table, alias: Self.row))
    select.condition = isAffected
    return select
  }

  /// A statement that selects the primary keys of all rows of the attribute's entity and its
  /// subentities.
  package var allRows: SQLSelect {
    SQLSelect(
      ["Z_PK"], from: map.table,
      where: schema.numbers.condition(.named("Z_ENT"), in: map.entity.subtree))
  }
}

extension SchemaMap {
  /// The derived attributes of all entities.
  package var derivedAttributes: [DerivedAttribute] {
    entities.flatMap { map in
      map.entity.ownProperties.compactMap { DerivedAttribute($0, map, in: self) }
    }
  }
}

extension [DerivedAttribute] {
  /// The attributes in an order in which each attribute follows the attributes from which it is
  /// computed. Attributes that are computed from each other have no particular order.
  var inOrderOfComputation: [DerivedAttribute] {
    var levels = [Int](repeating: 0, count: count)
    for _ in 0..<Derivation.longestPath {
      for (index, attribute) in enumerated() {
        guard let source = attribute.source else { continue }
        for (other, level) in zip(self, levels)
        where other.map.table == source.table && other.column.name == source.column {
          levels[index] = level + 1
        }
      }
    }
    // The sort is stable.
    return zip(self, levels).sorted { $0.1 < $1.1 }.map { $0.0 }
  }
}
