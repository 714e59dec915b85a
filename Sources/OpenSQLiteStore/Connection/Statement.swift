import COpenSQLite
import COpenSupport
import Foundation
import OpenSQLCore
import OpenStoreContract

/// A prepared statement. Confined to its connection.
final class Statement {
  let pointer: OpaquePointer
  let sql: String

  init(_ pointer: OpaquePointer, sql: String) {
    self.pointer = pointer
    self.sql = sql
  }

  deinit { sqlite3_finalize(pointer) }

  @inline(__always)
  func reset() { sqlite3_reset(pointer) }

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(pointer, Int32(column)) }

  /// Returns the text of a column, which may contain zero bytes; nil for null.
  func text(_ column: Int) -> String? {
    bytes(ofText: column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the text of a column; nil for null and for invalid UTF-8.
  func validText(_ column: Int) -> String? {
    bytes(ofText: column).flatMap { String(validating: $0, as: UTF8.self) }
  }

  private func bytes(ofText column: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let start = sqlite3_column_text(pointer, Int32(column)) else { return nil }
    return UnsafeBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(pointer, Int32(column))))
  }

  func data(_ column: Int) -> Data? {
    guard let bytes = sqlite3_column_blob(pointer, Int32(column)) else { return nil }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(pointer, Int32(column))))
  }

  /// Binds a value. Texts and data are copied to the arena, or by SQLite if the arena is full.
  ///
  /// - Parameter index: The number of the parameter, starting with 1.
  @inline(__always)
  func bind(_ content: SlotContent, at index: Int32, arena: inout BindingArena) -> Int32 {
    switch content {
    case .null: sqlite3_bind_null(pointer, index)
    case .integer(let integer): sqlite3_bind_int64(pointer, index, integer)
    case .real(let real): sqlite3_bind_double(pointer, index, real)
    case .text(var text):
      text.withUTF8 { bytes in
        let copy = arena.copy(UnsafeRawBufferPointer(bytes))
        return ocd_bind_static_text(pointer, index, copy.baseAddress, copy.count)
      }
    case .data(let data):
      data.withUnsafeBytes { bytes in
        let copy = arena.copy(bytes)
        return ocd_bind_static_blob(pointer, index, copy.baseAddress, copy.count)
      }
    }
  }
}

/// Memory for bound texts, data and lists, which must remain valid until their statement is reset.
///
/// Confined to its connection. The memory is reused for each statement.
struct BindingArena: ~Copyable {
  private let first: UnsafeMutableRawPointer
  /// The addresses where the next bytes are stored and where the memory ends.
  private var next: UnsafeMutableRawPointer
  private var end: UnsafeMutableRawPointer
  private var further: [UnsafeMutableRawPointer] = []
  private static let firstSize = 8192
  private static let furtherSize = 64 << 10

  init() {
    first = UnsafeMutableRawPointer.allocate(byteCount: Self.firstSize, alignment: 16)
    next = first
    end = first + Self.firstSize
  }

  deinit {
    for block in further { block.deallocate() }
    first.deallocate()
  }

  /// Discards all copies.
  @inline(__always)
  mutating func removeAll() {
    next = first
    if !further.isEmpty { removeFurther() }
  }

  private mutating func removeFurther() {
    for block in further { block.deallocate() }
    further.removeAll()
    end = first + Self.firstSize
  }

  /// Copies bytes. The copy is valid until `removeAll` is called.
  @inline(__always)
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let source = bytes.baseAddress, bytes.count > 0 else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let target = reserve(bytes.count)
    target.copyMemory(from: source, byteCount: bytes.count)
    return UnsafeRawBufferPointer(start: target, count: bytes.count)
  }

  /// Returns uninitialized memory for a number of values, which is valid until `removeAll` is
  /// called.
  mutating func room<Element: BitwiseCopyable>(
    for count: Int, _ type: Element.Type
  ) -> UnsafeMutableBufferPointer<Element> {
    let alignment = MemoryLayout<Element>.alignment
    let bytes = reserve(count * MemoryLayout<Element>.stride + alignment - 1)
    let start = bytes.alignedUp(toMultipleOf: alignment)
    return UnsafeMutableBufferPointer(
      start: start.bindMemory(to: type, capacity: count), count: count)
  }

  private mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    if next + count > end { addBlock(count) }
    defer { next += count }
    return next
  }

  private mutating func addBlock(_ count: Int) {
    let size = max(count, Self.furtherSize)
    next = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    end = next + size
    further.append(next)
  }
}
