import COpenSQLite
import COpenSupport
import Foundation
import OpenObjectModel
public import OpenPredicates
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore {
  /// The number of results that are passed on together.
  private static let batchSize = 256

  public func forEachResultBatch(
    matching plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let projection = plan.shape.projection else { return }
    if pool.isShared {
      // The one connection must be free again when `body` asks the store for something else.
      var batches: [[Value]] = []
      try forEachResultBatch(of: projection, plan) { batches.append($0) }
      for batch in batches { try body(batch) }
      return
    }
    try forEachResultBatch(of: projection, plan, body)
  }

  private func forEachResultBatch(
    of projection: Projection, _ plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try pool.withReader { (connection) throws(StoreError) in
      try connection.reading(plan) { () throws(StoreError) in
        try forEachResultBatch(of: projection, plan, on: connection, body)
      }
    }
  }

  private func forEachResultBatch(
    of projection: Projection, _ plan: FetchPlan, on connection: Connection,
    _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let fetch = try prepare(plan, .values, on: connection)
    defer { fetch.statement.reset() }
    let columns = projection.columns.enumerated().map { index, column in
      ResultColumn(column, at: Int32(index), of: fetch.statement, connection, schema)
    }
    let files = connection.path.map { ExternalFiles(StoreFiles(URL(fileURLWithPath: $0))) }
    var values: [Value] = []
    var count = 0
    while true {
      let code = sqlite3_step(fetch.statement.pointer)
      guard code == SQLITE_ROW else {
        if code == SQLITE_DONE { break }
        throw connection.error(code, statement: fetch.statement.sql)
      }
      for column in columns { values.append(try column.value(fetch.statement.pointer, files)) }
      count += 1
      if count == Self.batchSize {
        try body(values)
        values = []
        values.reserveCapacity(Self.batchSize * columns.count)
        count = 0
      }
    }
    if count > 0 { try body(values) }
  }
}

/// Reads one column of a result as a value of its type.
private struct ResultColumn {
  private enum Form {
    case integer, boolean, real, date, text
    /// The key of an object, with the token of its root entity.
    case object(UInt32)
    /// Data after a tag byte.
    case tagged
    case other(AttributeType?)

    /// Whether the values are numbers, Boolean values or dates.
    var isNumber: Bool {
      switch self {
      case .integer, .boolean, .real, .date: true
      case .text, .object, .tagged, .other: false
      }
    }
  }

  private let index: Int32
  private let form: Form
  /// The property whose stored values the column contains; nil for computed results.
  private let stored: Stored?
  private let source: Statement
  private let connection: Connection

  private struct Stored {
    let entity: CompiledEntity
    let property: CompiledProperty
    let column: SlotColumn
  }

  init(
    _ column: Projection.Column, at index: Int32, of statement: Statement,
    _ connection: Connection, _ schema: SchemaMap
  ) {
    self.index = index
    source = statement
    self.connection = connection
    form = Self.form(of: column, in: schema)
    stored = Self.stored(column, in: schema)
  }

  /// Returns the property whose stored values a column contains; nil for computed results, for
  /// derived attributes and for properties whose values are converted to another type.
  private static func stored(_ column: Projection.Column, in schema: SchemaMap) -> Stored? {
    guard case .property(let path) = column.operand, case .property(let ordinal) = path.end
    else { return nil }
    let map = schema.entities[path.reachedEntity(in: schema.model).index]
    let property = map.entity.properties[ordinal]
    guard let slot = property.slot, !map.entity.slots[slot].isDerived,
      property.attribute == nil || column.type == nil || column.type == property.attribute?.type
    else { return nil }
    return Stored(entity: map.entity, property: property, column: map.columns[slot])
  }

  private static func form(of column: Projection.Column, in schema: SchemaMap) -> Form {
    if case .property(let path) = column.operand {
      if let token = path.rootToken(in: schema.model) { return .object(token) }
      let map = schema.entities[path.reachedEntity(in: schema.model).index]
      if case .property(let ordinal) = path.end, map.column(ordinal)?.isTagged == true {
        return .tagged
      }
    }
    switch column.type {
    case .integer16, .integer32, .integer64: return .integer
    case .boolean: return .boolean
    case .double, .float: return .real
    case .date: return .date
    case .string: return .text
    default: return .other(column.type)
    }
  }

  /// Returns the value in the current row of a statement.
  ///
  /// - Parameter files: The external values; nil for a store without a file.
  func value(
    _ statement: OpaquePointer, _ files: ExternalFiles?
  ) throws(StoreError) -> Value {
    let type = sqlite3_column_type(statement, index)
    if type == SQLITE_NULL { return .null }
    if let stored, type != stored.column.usualType,
      ocd_fits(sqlite3_column_value(statement, index), stored.column.readKind) == 0
    {
      throw unreadable()
    }
    // A computed value, such as a maximum, has no column.
    if type == SQLITE_BLOB, form.isNumber { throw unreadable() }
    switch form {
    case .integer where type == SQLITE_INTEGER:
      return .int(sqlite3_column_int64(statement, index))
    case .boolean where type == SQLITE_INTEGER:
      return .bool(sqlite3_column_int64(statement, index) != 0)
    case .real where type != SQLITE_TEXT: return .double(sqlite3_column_double(statement, index))
    case .date where type != SQLITE_TEXT: return .date(sqlite3_column_double(statement, index))
    case .object(let token):
      return .object(
        ObjectReference(
          entityToken: token, storeToken: 0, key: sqlite3_column_int64(statement, index)))
    case .tagged: return try tagged(statement, files)
    case .integer: return try natural(statement, type).decoded(as: .integer64)
    case .boolean: return try natural(statement, type).decoded(as: .boolean)
    case .real: return try natural(statement, type).decoded(as: .double)
    case .date: return try natural(statement, type).decoded(as: .date)
    case .text: return try natural(statement, type).decoded(as: .string)
    case .other(let wanted):
      let value = try natural(statement, type)
      let decoded = wanted.map { value.decoded(as: $0) } ?? value
      if stored != nil, Self.isEncoded(decoded, as: wanted) { throw unreadable() }
      return decoded
    }
  }

  /// Returns whether a value could not be decoded as the type of its property.
  private static func isEncoded(_ value: Value, as type: AttributeType?) -> Bool {
    switch (type, value) {
    case (.uri, .string), (.decimal, .string), (.decimal, .double): true
    default: false
    }
  }

  private func unreadable() -> StoreError {
    connection.located(
      .unreadableValue(of: stored?.property, in: stored?.entity, row: nil), in: source)
  }

  private func natural(
    _ statement: OpaquePointer, _ type: Int32
  ) throws(StoreError) -> Value {
    switch type {
    case SQLITE_INTEGER: return .int(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      guard let text = source.validText(Int(index)) else { throw unreadable() }
      return .string(text)
    default: return .data(data(statement))
    }
  }

  private func data(_ statement: OpaquePointer) -> Data {
    let bytes = sqlite3_column_blob(statement, index)
    return Data(
      UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
  }

  /// Returns a tagged value: 1 and the value, or 2 and the name of its file.
  private func tagged(
    _ statement: OpaquePointer, _ files: ExternalFiles?
  ) throws(StoreError) -> Value {
    let data = data(statement)
    guard let files, let name = ExternalFiles.name(in: data) else {
      return .data(data.first == 1 ? Data(data.dropFirst()) : data)
    }
    return .data(try files.value(named: name))
  }
}
