package import OpenObjectModel
import OpenPredicates
package import OpenStoreContract

/// The SQLite dialect with the names and types of Apple's files.
package struct SQLiteDialect: SQLDialect {
  package init() {}

  package func quoted(_ identifier: String) -> String {
    let isPlain = identifier.utf8.allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
    if isPlain { return identifier }
    return "\"" + identifier.doubling("\"") + "\""
  }

  package func placeholder(_ number: Int) -> String { "?" }

  package func columnType(for type: AttributeType) -> String? {
    switch type {
    case .integer16, .integer32, .integer64, .boolean, .objectID: "INTEGER"
    case .decimal: "DECIMAL"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .string, .uri: "VARCHAR"
    case .uuid, .binaryData, .transformable: "BLOB"
    case .composite, .undefined: nil
    }
  }

  package var keyType: String { "INTEGER" }

  package var tagsExternalData: Bool { true }

  package func truth(_ value: Bool) -> String { value ? "1" : "0" }

  package func sortSuffix(isAscending: Bool) -> String { isAscending ? "" : " DESC" }

  package func indexSuffix(isAscending: Bool) -> String {
    " COLLATE BINARY " + (isAscending ? "ASC" : "DESC")
  }

  package var unlimited: String? { "LIMIT -1" }

  package var orderedJoin: String { "CROSS JOIN" }

  package var resultAlias: String? { nil }

  package var firstPresentFunction: String { "ifnull" }

  package func alias(ofList name: String) -> String { name }

  package func collation(_ collation: SortTerm.Collation) -> String? {
    switch collation {
    case .binary: nil
    case .caseInsensitive: "OCD_CASE_INSENSITIVE"
    case .localized: "OCD_LOCALIZED"
    case .localizedCaseInsensitive: "OCD_LOCALIZED_CASE_INSENSITIVE"
    case .localizedStandard: "OCD_LOCALIZED_STANDARD"
    }
  }

  package func function(_ operation: TextFunction) -> String { "ocd_" + operation.rawValue }

  package var listTable: String { "OpenCoreDataList" }

  package var saveTimeFunction: String { "NSCoreDataNow" }
}
