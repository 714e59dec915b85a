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

  func text(_ column: Int) -> String? {
    sqlite3_column_text(pointer, Int32(column)).map { String(cString: $0) }
  }

  func data(_ column: Int) -> Data? {
    guard let bytes = sqlite3_column_blob(pointer, Int32(column)) else { return nil }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(pointer, Int32(column))))
  }

  /// Binds a value; texts and data are copied to the arena, or by SQLite when it is full.
  ///
  /// - Parameter index: Number of the parameter, counted from 1.
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

/// Memory for the bytes of bound texts and data, which must stay until their statement is reset.
///
/// Confined to its connection, and emptied before the next statement is bound.
struct BindingArena: ~Copyable {
  private let block: UnsafeMutableRawPointer
  private var used = 0
  private var large: [UnsafeMutableRawPointer] = []
  private static let blockSize = 8192

  init() {
    block = UnsafeMutableRawPointer.allocate(byteCount: Self.blockSize, alignment: 8)
  }

  deinit {
    for block in large { block.deallocate() }
    block.deallocate()
  }

  /// Forgets all copies.
  @inline(__always)
  mutating func removeAll() {
    used = 0
    if !large.isEmpty { removeLarge() }
  }

  private mutating func removeLarge() {
    for block in large { block.deallocate() }
    large.removeAll()
  }

  /// Copies bytes; the copy stays until `removeAll`.
  @inline(__always)
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let source = bytes.baseAddress, bytes.count > 0 else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let target = reserve(bytes.count)
    target.copyMemory(from: source, byteCount: bytes.count)
    return UnsafeRawBufferPointer(start: target, count: bytes.count)
  }

  private mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    if used + count <= Self.blockSize {
      defer { used += count }
      return block + used
    }
    let own = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
    large.append(own)
    return own
  }
}
