import Foundation
import OpenObjectModel
import OpenStoreContract

/// The types of the values that are exchanged with a server. The raw values are the object
/// identifiers of the types in the server's catalog.
enum PostgresType: UInt32 {
  case data = 17
  case bigint = 20
  case smallint = 21
  case integer = 23
  case text = 25
  case real = 701
  case character = 1042
  case varchar = 1043
  case numeric = 1700
  case uuid = 2950

  /// The least object identifier of the types that extensions and users create.
  static let firstOther: UInt32 = 16_384

  /// The object identifier of the array type with elements of this type.
  var array: UInt32 {
    switch self {
    case .data: 1001
    case .smallint: 1005
    case .integer: 1007
    case .bigint: 1016
    case .text: 1009
    case .real: 1022
    case .character: 1014
    case .varchar: 1015
    case .numeric: 1231
    case .uuid: 2951
    }
  }
}

/// A value to bind to a placeholder.
struct PostgresValue {
  /// The object identifier of the value's type in the server's catalog.
  let type: UInt32
  /// The value in the server's binary format or as text; nil for null.
  let bytes: [UInt8]?
  /// Whether the bytes are text.
  let isText: Bool

  init(type: UInt32, bytes: [UInt8]?, isText: Bool = false) {
    self.type = type
    self.bytes = bytes
    self.isText = isText
  }

  static func integer(_ value: Int64) -> PostgresValue {
    PostgresValue(type: PostgresType.bigint.rawValue, bytes: bigEndian(value))
  }

  static func real(_ value: Double) -> PostgresValue {
    PostgresValue(
      type: PostgresType.real.rawValue, bytes: bigEndian(Int64(bitPattern: value.bitPattern)))
  }

  static func text(_ value: String?) -> PostgresValue {
    PostgresValue(
      type: PostgresType.text.rawValue, bytes: value.map { Array(TextCoding.encoded($0)) })
  }

  static func data(_ value: Data?) -> PostgresValue {
    PostgresValue(type: PostgresType.data.rawValue, bytes: value.map { Array($0) })
  }

  static func keys(_ keys: some Collection<Int64>) -> PostgresValue {
    array(of: .bigint, keys.lazy.map { .integer($0) })
  }

  static func array(
    of type: PostgresType, _ contents: some Collection<SlotContent>
  ) -> PostgresValue {
    var array = PostgresArray(of: type, count: contents.count)
    for content in contents { array.append(content) }
    return array.value
  }

  /// The value as readable text.
  var shown: String {
    guard let bytes else { return "NULL" }
    switch PostgresType(rawValue: type) {
    case .bigint where bytes.count == 8:
      return String(bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) })
    case .real where bytes.count == 8:
      return String(Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
    case .text, .numeric: return "'" + String(decoding: bytes.prefix(200), as: UTF8.self) + "'"
    default: return "\(bytes.count) bytes"
    }
  }

  /// Returns the binary form of a value; nil for null and NaN.
  static func bytes(of content: SlotContent) -> [UInt8]? {
    switch content {
    case .null: nil
    case .integer(let value): bigEndian(value)
    case .real(let value): value.isNaN ? nil : bigEndian(Int64(bitPattern: value.bitPattern))
    case .text(let value): Array(TextCoding.encoded(value))
    case .data(let value): Array(value)
    }
  }

  static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}

/// An array in the server's binary format, which is built element by element. An array of exact
/// numbers is text.
struct PostgresArray {
  private let type: PostgresType
  private var bytes: [UInt8] = []
  private var isText: Bool { type == .numeric }

  /// Creates an empty array for values of a type.
  ///
  /// - Parameter count: The number of values to append.
  init(of type: PostgresType, count: Int) {
    self.type = type
    if isText { return }
    bytes.reserveCapacity(20 + count * 12)
    bytes += PostgresValue.bigEndian(Int32(count > 0 ? 1 : 0))
    bytes += PostgresValue.bigEndian(Int32(1))
    bytes += PostgresValue.bigEndian(type.rawValue)
    guard count > 0 else { return }
    bytes += PostgresValue.bigEndian(Int32(count))
    bytes += PostgresValue.bigEndian(Int32(1))
  }

  mutating func append(_ content: SlotContent) {
    if isText { return appendNumber(content) }
    switch content {
    case .integer(let value): appendWord(UInt64(bitPattern: value))
    case .real(let value) where !value.isNaN: appendWord(value.bitPattern)
    case .null, .real: appendCount(-1)
    case .text(let text): append(TextCoding.encoded(text))
    case .data(let data): append(data)
    }
  }

  /// Appends the value of a row's slot. Text and data are copied without an intermediate value.
  mutating func append(_ slot: Int, of row: Row, in entity: CompiledEntity) {
    let kind = entity.slots[slot].kind
    guard kind == .text || kind == .blob, !row.isNull(slot) else {
      return append(row.content(of: slot, in: entity))
    }
    let bytes = row.bytes(at: RowLayout.slot(slot, of: entity))
    if kind == .text, TextCoding.needsConversion(bytes) {
      append(row.content(of: slot, in: entity))
    } else {
      append(bytes)
    }
  }

  /// Appends a number to an array in text form, without quotation marks.
  private mutating func appendNumber(_ content: SlotContent) {
    bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
    switch content {
    case .text(let text): bytes += text.utf8
    case .integer(let integer): bytes += String(integer).utf8
    case .null, .real, .data: bytes += "NULL".utf8
    }
  }

  private mutating func append(_ element: some Collection<UInt8>) {
    // A count that does not fit is never sent, because the connection rejects statements of this
    // size.
    appendCount(Int32(truncatingIfNeeded: element.count))
    bytes += element
  }

  private mutating func appendCount(_ count: Int32) {
    withUnsafeBytes(of: count.bigEndian) { bytes += $0 }
  }

  /// Appends eight bytes and their count.
  private mutating func appendWord(_ word: UInt64) {
    let element = (
      UInt32(8).bigEndian, UInt32(truncatingIfNeeded: word >> 32).bigEndian,
      UInt32(truncatingIfNeeded: word).bigEndian
    )
    withUnsafeBytes(of: element) { bytes += $0 }
  }

  var value: PostgresValue {
    guard isText else { return PostgresValue(type: type.array, bytes: bytes) }
    let text = (bytes.isEmpty ? [UInt8(ascii: "{")] : bytes) + [UInt8(ascii: "}")]
    return PostgresValue(type: type.array, bytes: text, isText: true)
  }
}

extension [PostgresValue] {
  /// The size of the values, in bytes.
  var byteCount: Int { reduce(0) { $0 + ($1.bytes?.count ?? 0) } }

  /// Calls a closure with the values in the form of libpq's parameters, which are valid during the
  /// call.
  ///
  /// - Parameter body: A closure that receives the addresses of the values, their lengths in bytes
  ///   and their formats.
  func withParameters<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) ->
      Result
  ) -> Result {
    let size = byteCount + count
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
    defer { memory.deallocate() }
    var pointers: [UnsafePointer<CChar>?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    pointers.reserveCapacity(count + 1)
    lengths.reserveCapacity(count + 1)
    formats.reserveCapacity(count + 1)
    var cursor = memory
    for value in self {
      formats.append(value.isText ? 0 : 1)
      guard let bytes = value.bytes else {
        pointers.append(nil)
        lengths.append(0)
        continue
      }
      pointers.append(UnsafePointer(cursor.assumingMemoryBound(to: CChar.self)))
      lengths.append(Int32(bytes.count))
      bytes.withUnsafeBytes {
        if let base = $0.baseAddress { cursor.copyMemory(from: base, byteCount: $0.count) }
      }
      // Values in text format end with a zero byte.
      cursor.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
      cursor += bytes.count + 1
    }
    // An empty array has no address to pass to C, so each array has one more element.
    pointers.append(nil)
    lengths.append(0)
    formats.append(0)
    return body(pointers, lengths, formats)
  }
}
