import OpenObjectModel

/// The source of the value of one column in a migrated row.
enum ColumnSource: Sendable, Hashable {
  /// The conversion of a value during the migration.
  enum Conversion: Sendable, Hashable {
    /// A tag byte is added before the value.
    case tagged
    /// The tag byte is removed, and an external value is moved into the row.
    case untagged

    /// Creates the conversion of the values of one column for another column; nil if both columns
    /// store values in the same form.
    init?(from old: SlotColumn, to new: SlotColumn) {
      if old.isTagged == new.isTagged { return nil }
      self = new.isTagged ? .tagged : .untagged
    }
  }

  /// A default value for some rows, depending on the columns that are null.
  struct Replacement: Sendable, Hashable {
    var value: SQLExpression
    /// The conditions in columns of the source. These rows meet at least one of them.
    var conditions: [DefaultRows.Condition]

    /// The columns of the source that the conditions contain.
    var columns: Set<String> { Set(conditions.flatMap { $0.lacking + $0.present }) }

    /// Creates the replacement; nil if no rows or all rows receive the value.
    init?(_ value: SQLExpression, in rows: DefaultRows) {
      if rows.conditions.isEmpty || rows == .all { return nil }
      self.value = value
      conditions = rows.conditions
    }

    /// Returns the value for a row: the default value or another value.
    func expression(row alias: String, else other: SQLExpression) -> SQLExpression {
      .choice(.any(conditions.map { .all($0.expressions(row: alias)) }), value, other)
    }
  }

  /// The column is null.
  case nothing
  case constant(SQLExpression)
  /// A column of the row itself, except in the rows that receive a default value.
  case column(String, otherwise: Replacement? = nil, conversion: Conversion? = nil)
  /// The column is null, except in the rows that receive a default value.
  case replacement(Replacement)
  /// The least key among the row's owners. Join rows or foreign keys in another table determine the
  /// owners.
  case owner(PairSource)
  /// The position of the row among the members of its owner. The case ``owner(_:)`` states which
  /// owner a row has.
  case place(PairSource)

  /// The column of the row itself that the value is read from; nil for any other source.
  var column: String? {
    if case .column(let name, _, _) = self { return name }
    return nil
  }

  /// The conversion of the value; nil if the value is not converted.
  var conversion: Conversion? {
    if case .column(_, _, let conversion) = self { return conversion }
    return nil
  }

  /// The default value for some rows; nil if no rows receive a default value.
  var replacement: Replacement? {
    switch self {
    case .column(_, let otherwise, _): otherwise
    case .replacement(let replacement): replacement
    default: nil
    }
  }

  /// Whether other rows must be read for the value.
  var isElsewhere: Bool {
    switch self {
    case .owner, .place: true
    default: false
    }
  }

  /// Returns the expression for the value.
  ///
  /// - Parameters:
  ///   - alias: The alias of the row in the source.
  ///   - schema: The schema name of the source tables, or nil for tables of the file itself.
  func expression(row alias: String, schema: String?) -> SQLExpression {
    switch self {
    case .nothing: return .null
    case .constant(let value): return value
    case .column(let name, let otherwise, let conversion):
      var value = SQLExpression.column(table: alias, name)
      if let conversion { value = Self.converted(value, conversion) }
      return otherwise?.expression(row: alias, else: value) ?? value
    case .replacement(let replacement): return replacement.expression(row: alias, else: .null)
    case .owner(let pairs): return .scalar(pairs.owner(of: alias, schema: schema))
    case .place(let pairs): return .scalar(pairs.place(of: alias, schema: schema))
    }
  }

  /// Returns the expression that adds or removes the tag byte of a value.
  static func converted(_ value: SQLExpression, _ conversion: Conversion) -> SQLExpression {
    .function(
      conversion == .tagged ? MigrationFunction.tagged : MigrationFunction.untagged, [value])
  }
}

/// The names of the SQL functions that a connection must provide for a migration.
package enum MigrationFunction {
  /// The function that puts the tag byte for values in the row before a value; see
  /// ``SlotColumn/isTagged``.
  package static let tagged = "OpenCoreDataTaggedValue"
  /// The function that returns a value without its tag byte, and reads an external value from its
  /// file.
  package static let untagged = "OpenCoreDataUntaggedValue"
  /// The function that converts a mask of changed properties to the new model. The arguments are
  /// the number of the source entity and the old mask.
  package static let mask = "OpenCoreDataHistoryMask"
}

/// The table and the columns in which a source file stores the pairs of owner and destination of a
/// relationship.
struct PairSource: Sendable, Hashable {
  var table: String
  var owner: String
  var destination: String
  /// The column of the destination's position among the owner's members.
  var place: String?
  /// The column of the owner's position among the destination's members.
  var reversePlace: String?

  /// The same storage with owner and destination exchanged.
  var reversed: PairSource {
    PairSource(
      table: table, owner: destination, destination: owner, place: reversePlace,
      reversePlace: place)
  }

  private func source(_ schema: String?, alias: String) -> SQLSelect.Source {
    .stored(table, in: schema, alias: alias)
  }

  /// Returns the statement for the least owner of a row.
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

  /// Returns the statement for all pairs of owner and destination.
  ///
  /// - Parameter places: Whether the statement also returns the positions of the destinations, and
  ///   the positions of the owners.
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
  /// Returns a table of the file itself, or of an attached file.
  static func stored(_ table: String, in schema: String?, alias: String?) -> Self {
    schema.map { .attached(table, schema: $0, alias: alias) } ?? .table(table, alias: alias)
  }
}
