import COpenSQLite
import COpenSupport
import Foundation
import OpenPredicates
import OpenSQLCore

/// The SQL functions for text operations, which run the same code as evaluation in memory.
enum TextFunctions {
  typealias Body =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// Registers the functions with a connection.
  static func register(on database: OpaquePointer) {
    let dialect = SQLiteDialect()
    for function in TextFunction.allCases {
      add(
        dialect.function(function), Int32(function.argumentCount), body(of: function), to: database)
    }
    ocd_offer_relevance(database, SQLTextIndex.relevance)
  }

  private static func add(
    _ name: String, _ argumentCount: Int32, _ body: @escaping Body, to database: OpaquePointer
  ) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    sqlite3_create_function_v2(database, name, argumentCount, flags, nil, body, nil, nil, nil)
  }

  private static func body(of function: TextFunction) -> Body {
    switch function {
    case .contains: { TextFunctions.contains($0, $2) }
    case .prefix: { TextFunctions.test($0, $2) { StringMatch.hasPrefix($0, $1, $2) } }
    case .suffix: { TextFunctions.test($0, $2) { StringMatch.hasSuffix($0, $1, $2) } }
    case .like: { TextFunctions.test($0, $2) { StringMatch.like($0, $1, $2) } }
    case .matches: { TextFunctions.test($0, $2) { StringMatch.matches($0, $1, $2) } }
    case .equals: { TextFunctions.equals($0, $2) }
    case .compare: { TextFunctions.compare($0, $2) }
    case .uppercase: { TextFunctions.map($0, $2) { $0.uppercased() } }
    case .lowercase: { TextFunctions.map($0, $2) { $0.lowercased() } }
    case .canonical:
      {
        TextFunctions.map($0, $2) { text in
          // As predicates have it in memory, which is not Foundation's folding in all scripts.
          guard case .string(let folded) = ValueFunction.apply("canonical:", [.string(text)])
          else { return text }
          return folded
        }
      }
    case .containsWords: { TextFunctions.containsWords($0, $1, $2) }
    case .value: { ValueFunctions.apply($0, $1, $2) }
    case .listElement: { ValueFunctions.listElement($0, $2) }
    }
  }

  /// Tests two texts. The result is null if an argument is null, and false if an argument is not a
  /// text.
  private static func test(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ holds: (String, String, StringOptions) -> Bool
  ) {
    guard let arguments, let context else { return }
    let (text, pattern) = (arguments[0], arguments[1])
    if isNull(text) || isNull(pattern) { return sqlite3_result_null(context) }
    guard let text = string(text), let pattern = string(pattern) else {
      return sqlite3_result_int(context, 0)
    }
    sqlite3_result_int(context, holds(text, pattern, options(arguments[2])) ? 1 : 0)
  }

  /// The most frequent test in scans, which creates no strings for most texts.
  private static func contains(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let arguments, let context else { return }
    let options = options(arguments[2])
    if !options.contains(.characters), let text = bytes(arguments[0]),
      let part = bytes(arguments[1])
    {
      let result =
        options.folds
        ? containsFolded(text, part, options)
        : ocd_contains_bytes(text.baseAddress, text.count, part.baseAddress, part.count)
      if result >= 0 { return sqlite3_result_int(context, result) }
    }
    test(context, arguments) { StringMatch.contains($0, $1, $2) }
  }

  /// Returns a negative number if a text contains characters outside the table of single
  /// characters.
  private static func containsFolded(
    _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>,
    _ options: StringOptions
  ) -> Int32 {
    guard let table = FoldingTable.table(for: options) else { return -1 }
    return table.forms.withUnsafeBufferPointer { forms in
      ocd_contains_folded(
        text.baseAddress, text.count, part.baseAddress, part.count, forms.baseAddress,
        FoldingTable.end)
    }
  }

  /// Searches several texts together. Arguments that are not texts contain no words.
  private static func containsWords(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let arguments, let context else { return }
    guard count > 0, let query = string(arguments[0]) else {
      return sqlite3_result_int(context, 0)
    }
    let texts = (1..<Int(count)).compactMap { string(arguments[$0]) }
    sqlite3_result_int(context, TextQuery.reading(query).matches(texts) ? 1 : 0)
  }

  /// Compares two values for equality. Options apply to texts only.
  private static func equals(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let arguments, let context else { return }
    if string(arguments[0]) != nil || string(arguments[1]) != nil {
      return test(context, arguments) { StringMatch.equals($0, $1, $2) }
    }
    let (one, other) = (Value(arguments[0]), Value(arguments[1]))
    if one == .null || other == .null { return sqlite3_result_null(context) }
    sqlite3_result_int(context, Value.equals(one, other) ? 1 : 0)
  }

  /// Compares two values. Options apply to texts only. The result is null if the values have no
  /// order.
  private static func compare(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let arguments, let context else { return }
    if isNull(arguments[0]) || isNull(arguments[1]) { return sqlite3_result_null(context) }
    let order =
      if let one = string(arguments[0]), let other = string(arguments[1]) {
        ComparisonResult?(StringMatch.compare(one, other, options(arguments[2])))
      } else {
        Value.order(Value(arguments[0]), Value(arguments[1]))
      }
    guard let order else { return sqlite3_result_null(context) }
    sqlite3_result_int(context, Int32(order.rawValue))
  }

  private static func map(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ body: (String) -> String
  ) {
    guard let arguments, let context, let text = string(arguments[0]) else {
      return sqlite3_result_null(context)
    }
    var result = body(text)
    result.withUTF8 { ocd_result_text(context, $0.baseAddress, $0.count) }
  }

  private static func isNull(_ value: OpaquePointer?) -> Bool {
    sqlite3_value_type(value) == SQLITE_NULL
  }

  private static func string(_ value: OpaquePointer?) -> String? {
    bytes(value).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func bytes(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
    guard sqlite3_value_type(value) == SQLITE_TEXT, let bytes = sqlite3_value_text(value) else {
      return nil
    }
    return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
  }

  private static func options(_ value: OpaquePointer?) -> StringOptions {
    StringOptions(rawValue: .init(truncatingIfNeeded: sqlite3_value_int64(value)))
  }
}
