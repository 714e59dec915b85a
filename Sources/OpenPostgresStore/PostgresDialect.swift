import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// PostgreSQL with the layout of SQLite stores, in lowercase.
struct PostgresDialect: SQLDialect {
  /// The schema whose tables are the store.
  let schema: String
  /// Longest name that the server keeps whole, in bytes.
  private static let longestName = 63

  func quoted(_ identifier: String) -> String {
    let name = Self.name(identifier)
    let isPlain = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
    if isPlain, !Self.reserved.contains(name) { return name }
    let doubled = name.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + doubled.joined(separator: "\"\"") + "\""
  }

  func table(_ name: String) -> String { "\(schemaName).\(quoted(name))" }

  /// The schema's name as it stands in statements.
  var schemaName: String {
    let doubled = schema.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + doubled.joined(separator: "\"\"") + "\""
  }

  /// Names without a "z" in front that statements use.
  private static let reserved: Set<String> = ["values", "list", "rank"]

  /// A name of the shared layout as the server keeps it.
  static func name(_ identifier: String) -> String {
    let name = identifier.lowercased()
    guard name.utf8.count > longestName else { return name }
    var start = name
    while start.utf8.count > 54 { start.removeLast() }
    return start + "_" + hash(name)
  }

  /// Eight digits that are the same on every machine and in every version (FNV-1a).
  static func hash(_ name: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  func placeholder(_ number: Int) -> String { "$\(number)" }

  func columnType(for type: AttributeType) -> String? {
    switch type {
    case .integer16, .boolean: "smallint"
    case .integer32: "integer"
    case .integer64, .objectID: "bigint"
    case .decimal: "numeric"
    case .double, .float, .date: "double precision"
    case .string, .uri: "text COLLATE \"C\""
    case .uuid: "uuid"
    case .binaryData, .transformable: "bytea"
    case .composite, .undefined: nil
    }
  }

  var keyType: String { "bigint" }

  var tagsExternalData: Bool { false }

  func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

  func sortSuffix(isAscending: Bool) -> String {
    isAscending ? " NULLS FIRST" : " DESC NULLS LAST"
  }

  func indexSuffix(isAscending: Bool) -> String { sortSuffix(isAscending: isAscending) }

  var unlimited: String? { nil }

  /// Servers choose the order of sources by themselves.
  var orderedJoin: String { "INNER JOIN" }

  var resultAlias: String? { "results" }

  var firstPresentFunction: String { "coalesce" }

  func alias(ofList name: String) -> String { name + "(value)" }

  /// No server orders texts as the library does in other ways; see `ServerJudgement`.
  func collation(_ collation: SortTerm.Collation) -> String? { nil }

  func function(_ operation: TextFunction) -> String { "ocd_" + operation.rawValue }

  var listTable: String { "unnest" }

  var saveTimeFunction: String { "now" }

  var hasTriggers: Bool { false }

  var duplicateWords: (String, String) { ("INSERT INTO ", " ON CONFLICT DO NOTHING") }

  var dataQuotes: (String, String) { ("'\\x", "'::bytea") }

  func constant(_ content: SlotContent, for target: SQLTarget) -> SQLExpression? {
    switch content {
    case .null: nil
    case .integer(let integer): .integer(integer)
    case .real(let real) where real.isNaN: nil
    case .real(let real):
      .cast(
        .text(real.isInfinite ? (real < 0 ? "-Infinity" : "Infinity") : String(real)),
        "double precision")
    case .text(let text) where target == .slot(.decimal): .cast(.text(text), "numeric")
    case .text(let text): .text(String(decoding: TextCoding.encoded(text), as: UTF8.self))
    case .data(let data) where target == .uuid:
      .cast(.text(data.hexadecimal), "uuid")
    case .data(let data): .data(data)
    }
  }
}
