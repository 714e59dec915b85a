import OpenObjectModel

/// Where a column of a migrated row gets its value from.
enum ColumnSource: Sendable, Hashable {
  /// What becomes of a value on its way.
  enum Conversion: Sendable, Hashable {
    /// A tag byte comes before the value.
    case tagged
    /// The tag byte is removed, and an external value is moved into the row.
    case untagged
  }

  /// The column stays empty.
  case nothing
  case constant(SQLExpression)
  /// A column of the row itself, and what takes the place of a missing value.
  case column(String, otherwise: SQLExpression? = nil, conversion: Conversion? = nil)
  /// The least key of an owner in pairs elsewhere, whose destination is the row.
  case owner(PairSource)
  /// The place of the row among the members of the owner that `owner` gives.
  case place(PairSource)

  /// The column that it reads in the row itself.
  var column: String? {
    if case .column(let name, _, _) = self { return name }
    return nil
  }

  /// What becomes of the value on its way.
  var conversion: Conversion? {
    if case .column(_, _, let conversion) = self { return conversion }
    return nil
  }

  /// Whether other rows must be read for it.
  var isElsewhere: Bool {
    switch self {
    case .owner, .place: true
    default: false
    }
  }

  /// The value, for the row with an alias in the source.
  func expression(
    row alias: String, schema: String?, _ dialect: any SQLDialect
  ) -> SQLExpression {
    switch self {
    case .nothing: return .null
    case .constant(let value): return value
    case .column(let name, let otherwise, let conversion):
      var value = SQLExpression.column(table: alias, name)
      if let conversion { value = Self.converted(value, conversion) }
      return otherwise.map { .function(dialect.firstPresentFunction, [value, $0]) } ?? value
    case .owner(let pairs): return .scalar(pairs.owner(of: alias, schema: schema))
    case .place(let pairs): return .scalar(pairs.place(of: alias, schema: schema))
    }
  }

  /// A value with or without its tag byte.
  static func converted(_ value: SQLExpression, _ conversion: Conversion) -> SQLExpression {
    .function(
      conversion == .tagged ? MigrationFunction.tagged : MigrationFunction.untagged, [value])
  }
}

/// The SQL functions that a connection must know to migrate.
package enum MigrationFunction {
  /// The value after a tag byte.
  package static let tagged = "OpenCoreDataTaggedValue"
  /// The value without its tag byte, wherever it is.
  package static let untagged = "OpenCoreDataUntaggedValue"
  /// The mask of changed properties under the new model: the old entity's number, the old mask.
  package static let mask = "OpenCoreDataHistoryMask"
}

/// Where a source file has the pairs of a relationship: owner, destination, places.
struct PairSource: Sendable, Hashable {
  var table: String
  var owner: String
  var destination: String
  /// The destination's place among the owner's members.
  var place: String?
  /// The owner's place among the destination's members.
  var reversePlace: String?

  /// The same pairs, seen from the destination.
  var reversed: PairSource {
    PairSource(
      table: table, owner: destination, destination: owner, place: reversePlace,
      reversePlace: place)
  }

  private func source(_ schema: String?, alias: String) -> SQLSelect.Source {
    .stored(table, in: schema, alias: alias)
  }

  /// The least owner of a row.
  fileprivate func owner(of row: String, schema: String?) -> SQLSelect {
    var select = SQLSelect(
      [.function("min", [.column(table: "p", owner)])], from: source(schema, alias: "p"))
    select.condition = .binary(
      .equal, .column(table: "p", destination), .column(table: row, "Z_PK"))
    return select
  }

  fileprivate func place(of row: String, schema: String?) -> SQLSelect {
    var select = SQLSelect(
      [place.map { .column(table: "p", $0) } ?? .null], from: source(schema, alias: "p"))
    select.condition = .binary(
      .equal, .column(table: "p", destination), .column(table: row, "Z_PK"))
    select.order = [.init(expression: .column(table: "p", owner), isAscending: true)]
    select.limit = .integer(1)
    return select
  }

  /// All pairs.
  ///
  /// - Parameter places: Whether the place of the destination, and that of the owner, are wanted.
  func pairs(schema: String?, places: (Bool, Bool)) -> SQLSelect {
    var columns: [SQLExpression] = [
      .column(table: "p", owner), .column(table: "p", destination),
    ]
    if places.0 { columns.append(place.map { .column(table: "p", $0) } ?? .null) }
    if places.1 { columns.append(reversePlace.map { .column(table: "p", $0) } ?? .null) }
    var select = SQLSelect(columns, from: source(schema, alias: "p"))
    select.condition = .all([
      .isNotNull(.column(table: "p", owner)), .isNotNull(.column(table: "p", destination)),
    ])
    return select
  }
}

extension SQLSelect.Source {
  /// A table of the file itself, or of an attached one.
  static func stored(_ table: String, in schema: String?, alias: String?) -> Self {
    schema.map { .attached(table, schema: $0, alias: alias) } ?? .table(table, alias: alias)
  }
}
