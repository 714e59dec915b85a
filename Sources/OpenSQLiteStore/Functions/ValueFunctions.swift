import COpenSQLite
import COpenSupport
import Foundation
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// The SQL functions that accept and return values of any type, which run the same code as
/// evaluation in memory.
enum ValueFunctions {
  /// Applies a function of predicates, given its name and its operands.
  static func apply(
    _ context: OpaquePointer?, _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let context, let arguments, count > 0, case .string(let name) = Value(arguments[0])
    else { return sqlite3_result_null(context) }
    let operands = (1..<Int(count)).map { Value(arguments[$0]) }
    set(ValueFunction.apply(name, operands), context)
  }

  /// Returns the value of a list element, which contains its type.
  static func listElement(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let context, let arguments else { return }
    let element = Value(arguments[0])
    guard case .string(let text) = element else { return set(element, context) }
    set(ListForm.value(ofTagged: text), context)
  }

  private static func set(_ value: Value, _ context: OpaquePointer) {
    switch SQLTarget.untyped.content(of: value) {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text): text.withUTF8 { ocd_result_text(context, $0.baseAddress, $0.count) }
    case .data(let data):
      data.withUnsafeBytes { ocd_result_blob(context, $0.baseAddress, $0.count) }
    }
  }
}

extension Value {
  /// Creates a value from an argument that SQLite passes to a function.
  init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .int(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .double(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let bytes = UnsafeBufferPointer(
        start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
      self = .string(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
      self = .data(Data(bytes))
    default: self = .null
    }
  }
}
