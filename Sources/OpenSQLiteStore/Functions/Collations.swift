import COpenSQLite
import Foundation
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// The collations that sort terms use, which run the same code as sorting in memory.
enum Collations {
  private typealias Order =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
    ) -> Int32

  /// Registers the collations with a connection.
  static func register(on database: OpaquePointer) {
    let dialect = SQLiteDialect()
    for collation in all {
      guard let name = dialect.collation(collation), let order = order(of: collation) else {
        continue
      }
      sqlite3_create_collation_v2(database, name, SQLITE_UTF8, nil, order, nil)
    }
  }

  private static let all: [SortTerm.Collation] = [
    .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
  ]

  private static func order(of collation: SortTerm.Collation) -> Order? {
    switch collation {
    case .binary: nil
    case .caseInsensitive: { Collations.compare($1, $2, $3, $4, .caseInsensitive) }
    case .localized: { Collations.compare($1, $2, $3, $4, .localeSensitive) }
    case .localizedCaseInsensitive:
      { Collations.compare($1, $2, $3, $4, [.caseInsensitive, .localeSensitive]) }
    case .localizedStandard:
      { Collations.compare($1, $2, $3, $4, [.caseInsensitive, .localeSensitive, .numeric]) }
    }
  }

  private static func compare(
    _ oneCount: Int32, _ one: UnsafeRawPointer?, _ otherCount: Int32, _ other: UnsafeRawPointer?,
    _ options: StringOptions
  ) -> Int32 {
    let order = StringMatch.compare(string(one, oneCount), string(other, otherCount), options)
    return Int32(order.rawValue)
  }

  private static func string(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }
}
