import COpenPostgres
import Foundation
import OpenPredicates
import OpenObjectModel
import OpenStoreContract

/// The result of a statement, in the server's binary format.
///
/// Confined to the thread that ran the statement.
final class PostgresResult {
  private let result: OpaquePointer

  /// Creates a result that owns a result of libpq.
  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var status: ExecStatusType { PQresultStatus(result) }

  /// The failure that the server reported instead of a result.
  var failure: PostgresFailure { PostgresFailure(result) }

  var rowCount: Int { Int(PQntuples(result)) }

  /// The number of rows that were written by a statement that returns no rows.
  var changedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    PQgetisnull(result, Int32(row), Int32(column)) == 1
  }

  /// Returns the bytes of a value; empty for null. The bytes are valid during the lifetime of the
  /// result.
  func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
    let count = Int(PQgetlength(result, Int32(row), Int32(column)))
    guard count > 0, let start = PQgetvalue(result, Int32(row), Int32(column)) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Returns an integer of two, four or eight bytes; 0 for null.
  func integer(_ row: Int, _ column: Int) -> Int64 { Self.integer(in: bytes(row, column)) }

  /// Returns the integer in the bytes of a value; 0 for no bytes.
  @inline(__always)
  static func integer(in bytes: UnsafeBufferPointer<UInt8>) -> Int64 {
    let bytes = UnsafeRawBufferPointer(bytes)
    switch bytes.count {
    case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    default: return 0
    }
  }

  /// Returns a floating-point number of eight bytes; 0 for null.
  func real(_ row: Int, _ column: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: integer(row, column)))
  }

  func text(_ row: Int, _ column: Int) -> String? {
    isNull(row, column) ? nil : TextCoding.decoded(bytes(row, column))
  }

  /// Returns a value as readable text.
  func shown(_ row: Int, _ column: Int) -> String {
    switch content(row, column) {
    case .null: ""
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .data(let data): data.hexadecimal
    }
  }

  func data(_ row: Int, _ column: Int) -> Data? {
    isNull(row, column) ? nil : Data(bytes(row, column))
  }

  /// Returns the type of a column; nil for a type that the store does not use.
  func type(of column: Int) -> PostgresType? {
    let identifier = UInt32(PQftype(result, Int32(column)))
    // The types of extensions and enumerations, such as citext, have the form of text.
    return identifier < PostgresType.firstOther ? PostgresType(rawValue: identifier) : .text
  }

  /// Returns a value in the form in which rows are packed.
  func content(_ row: Int, _ column: Int) -> SlotContent {
    if isNull(row, column) { return .null }
    switch type(of: column) {
    case .smallint, .integer, .bigint: return .integer(integer(row, column))
    case .real: return .real(real(row, column))
    case .numeric: return NumericText.text(of: bytes(row, column)).map { .text($0) } ?? .null
    case .data, .uuid: return .data(Data(bytes(row, column)))
    case .text, .varchar, .character, nil: return .text(TextCoding.decoded(bytes(row, column)))
    }
  }
}
