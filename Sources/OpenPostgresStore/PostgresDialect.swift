import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// The PostgreSQL dialect, with the layout of SQLite stores in lowercase.
struct PostgresDialect: SQLDialect {
  /// The schema that contains the tables of the store.
  let schema: String
  /// The maximum length of a name that the server does not truncate, in bytes.
  private static let longestName = 63

  func quoted(_ identifier: String) -> String {
    let name = Self.name(identifier)
    let isPlain = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
    if isPlain, !Self.reserved.contains(name) { return name }
    return "\"" + name.doubling("\"") + "\""
  }

  func table(_ name: String) -> String { "\(schemaName).\(quoted(name))" }

  /// The quoted name of the schema.
  var schemaName: String { "\"" + schema.doubling("\"") + "\"" }

  /// The names without the prefix "z" that statements use.
  private static let reserved: Set<String> = ["values", "list", "rank"]

  /// Returns the name on the server for a name of the shared layout.
  static func name(_ identifier: String) -> String {
    let name = identifier.lowercased()
    guard name.utf8.count > longestName else { return name }
    return shortened(name, to: 54) + "_" + hash(name)
  }

  /// Returns the beginning of a name, of at most the given number of bytes.
  static func shortened(_ name: String, to byteCount: Int) -> String {
    var start = name
    while start.utf8.count > byteCount { start.removeLast() }
    return start
  }

  /// Returns a hash of a name as eight hexadecimal digits, which is the same on every machine and
  /// in every version (FNV-1a).
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

  /// False, because the place of a row in its table changes with each update.
  var keepsKeyOrder: Bool { false }

  var unlimited: String? { nil }

  /// The ordinary inner join, because the server chooses the order of sources itself.
  var orderedJoin: String { "INNER JOIN" }

  var resultAlias: String? { "results" }

  var firstPresentFunction: String { "coalesce" }

  func alias(ofList name: String) -> String { name + "(value)" }

  /// Returns nil, because no collation of the server orders strings exactly as the library does.
  /// See ``ServerJudgement``.
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
