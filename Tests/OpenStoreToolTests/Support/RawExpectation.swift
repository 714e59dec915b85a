import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract
import OpenStoreTool

/// The expected output of the tool for the rows of one store, computed only from SQLite's values.
struct RawExpectation {
  let raw: RawStore
  let identifier: String
  let schema: SchemaMap
  /// The model's entity names by number; after a migration, the file may contain older names.
  let names: [Int64: String]

  init(_ raw: RawStore, identifier: String, model: CompiledModel) throws {
    self.raw = raw
    self.identifier = identifier
    schema = try SchemaMap(model, existing: raw.columns())
    names = Dictionary(model.entities.map { (Int64($0.index) + 1, $0.name) }) { first, _ in first }
  }

  /// Numbers of rows by entity name in the file, by entity name in the model.
  func renamed(_ counts: [String: Int]) throws -> [String: Int] {
    let numbers = try raw.entityNames()
    let renamed = counts.filter { $0.value > 0 }.map { name, count in
      (numbers.first { $0.value == name }.flatMap { names[$0.key] } ?? name, count)
    }
    return Dictionary(renamed) { first, _ in first }
  }

  /// The differences between printed rows of exactly one entity and the file; empty when all is well.
  func differences(_ rows: [[OutputValue.Field]], of entity: CompiledEntity) throws -> [String] {
    let map = schema.entities[entity.index]
    let keys = try raw.rows(
      "SELECT Z_PK FROM \(map.table) WHERE Z_ENT = \(map.number) ORDER BY Z_PK")
    var differences: [String] = []
    let ids = keys.map { OutputValue.text(uri(entity.name, $0[0].integer ?? 0)) }
    if rows.map({ $0[0].value }) != ids { differences.append("\(entity.name): other rows") }
    for property in entity.properties where !property.isTransient && !property.isElement {
      let expected = try values(of: property, map, keys.map { $0[0].integer ?? 0 })
      for (row, expected) in zip(rows, expected) {
        let printed = row.first { $0.key == property.name }?.value
        if !expected.accepts(printed) {
          differences.append(
            "\(row[0].value.cell).\(property.name): \(printed?.json ?? "nothing"), not \(expected)")
        }
      }
    }
    return differences
  }

  private func uri(_ entity: String, _ key: Int64) -> String {
    "x-coredata://\(identifier)/\(entity)/p\(key)"
  }

  // MARK: Expected values

  enum Expected {
    case exactly(OutputValue)
    /// A moment, in seconds since 2001.
    case moment(Double)
    /// A number as digits, exact to the last bit.
    case digits(Double)
    /// A composite attribute or a value in a separate file.
    case anything

    func accepts(_ printed: OutputValue?) -> Bool {
      switch self {
      case .exactly(let value): return printed == value
      case .moment(let seconds):
        guard case .text(let text) = printed else { return printed == .real(seconds) }
        return Moment.seconds(text) == seconds
      case .digits(let number):
        guard case .text(let text) = printed else { return false }
        return Double(text) == number
      case .anything: return printed != nil
      }
    }
  }

  private func values(
    of property: CompiledProperty, _ map: EntityMap, _ keys: [Int64]
  ) throws -> [Expected] {
    if let storage = schema.storage(of: property) {
      let index = property.relationship?.destinationIndex ?? 0
      return try keys.map { try members(of: $0, storage, in: schema.entities[index].table) }
    }
    guard let column = map.column(property.ordinal) else { return keys.map { _ in .anything } }
    let rows = try raw.rows(
      "SELECT \(column.name) FROM \(map.table) WHERE Z_ENT = \(map.number) ORDER BY Z_PK")
    return try rows.map { row in
      switch property.kind {
      case .attribute(let attribute):
        return Self.expected(row[0], attribute.type, isTagged: column.isTagged)
      case .relationship(let relationship):
        guard let key = row[0].integer else { return .exactly(.null) }
        let table = schema.entities[relationship.destinationIndex].table
        let found = try raw.rows("SELECT Z_ENT FROM \(table) WHERE Z_PK = \(key)")
        guard let number = found.first?[0].integer else { return .anything }
        return .exactly(.text(uri(names[number] ?? "", key)))
      }
    }
  }

  private func members(
    of key: Int64, _ storage: ToManyStorage, in table: String
  ) throws -> Expected {
    let rows: [[RawCell]]
    switch storage {
    case .foreignKey(let foreign):
      rows = try raw.rows(
        """
        SELECT Z_PK, Z_ENT FROM \(foreign.table) WHERE \(foreign.column) = \(key) \
        ORDER BY \(foreign.orderColumn.map { "\($0), " } ?? "")Z_PK
        """)
    case .join(let side):
      rows = try raw.rows(
        """
        SELECT \(side.destination), Z_ENT FROM \(side.table) \
        LEFT JOIN \(table) ON Z_PK = \(side.destination) WHERE \(side.source) = \(key) \
        ORDER BY \(side.orderColumn.map { "\($0), " } ?? "")\(side.destination)
        """)
    }
    return .exactly(
      .list(
        rows.map { row in
          .text(uri(names[row[1].integer ?? 0] ?? "", row[0].integer ?? 0))
        }))
  }

  private static func expected(
    _ cell: RawCell, _ type: AttributeType, isTagged: Bool
  ) -> Expected {
    if cell == .null { return .exactly(.null) }
    switch type {
    case .integer16, .integer32, .integer64, .objectID:
      return .exactly(.integer(cell.integer ?? 0))
    case .boolean: return .exactly(.bool(cell.integer != 0))
    case .double, .float: return .exactly(.real(cell.real ?? 0))
    case .date: return .moment(cell.real ?? 0)
    case .decimal:
      if case .real(let real) = cell { return .digits(real) }
      return .exactly(.text(cell.text ?? ""))
    case .string, .uri: return .exactly(.text(cell.text ?? ""))
    case .uuid: return .exactly(.text(uuid(cell.data ?? Data())))
    case .binaryData, .transformable, .composite, .undefined:
      let data = cell.data ?? Data()
      if isTagged, data.first == 2 { return .anything }
      return .exactly(.text((isTagged ? data.dropFirst() : data).base64EncodedString()))
    }
  }

  private static func uuid(_ data: Data) -> String {
    let digits = data.map { String(format: "%02X", $0) }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    return groups.map { $0.filter(digits.indices.contains).map { digits[$0] }.joined() }
      .joined(separator: "-")
  }
}

/// Reads moments back with Foundation's calendar.
enum Moment {
  /// Seconds since 2001 of a text in UTC; nil for another text.
  static func seconds(_ text: String) -> Double? {
    guard text.hasSuffix("Z") else { return nil }
    let parts = text.dropLast().split(separator: ".")
    let numbers = parts[0].split { "-T:".contains($0) }.compactMap { Int($0) }
    guard numbers.count == 6, let zone = TimeZone(identifier: "UTC") else { return nil }
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = zone
    let date = calendar.date(
      from: DateComponents(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3],
        minute: numbers[4], second: numbers[5]))
    guard let whole = date?.timeIntervalSinceReferenceDate else { return nil }
    return parts.count > 1 ? Double("0." + parts[1]).map { whole.rounded() + $0 } : whole.rounded()
  }
}
