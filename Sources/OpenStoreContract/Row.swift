internal import COpenRuntime
public import Foundation
public import OpenObjectModel
public import OpenPredicates

/// A packed row inside a chunk.
///
/// A row is immutable, cheap to copy, and readable from any thread. A row retains its chunk.
// Invariant of the unchecked conformance: `base` points into `chunk`, which is read-only after it
// is shared.
public struct Row: @unchecked Sendable {
  public let chunk: RowChunk
  public let base: UnsafeRawPointer

  @inlinable @inline(__always)
  public init(chunk: RowChunk, base: UnsafeRawPointer) {
    self.chunk = chunk
    self.base = base
  }

  /// A view of the row's bytes; the view is valid while the row exists.
  @inlinable @inline(__always)
  public var view: RowView { RowView(base) }

  /// The primary key; negative if the store has not assigned a permanent key.
  @inlinable @inline(__always)
  public var key: Int64 { view.key }
  /// The row version for optimistic locking: 1 for a new row, increased by 1 with each update.
  @inlinable @inline(__always)
  public var version: Int64 { view.version }
  /// The position of the row's actual entity in its compiled model.
  @inlinable @inline(__always)
  public var entityIndex: Int { view.entityIndex }
  /// The length of the whole row in bytes, a multiple of eight.
  @inlinable @inline(__always)
  public var byteCount: Int { view.byteCount }

  /// Returns whether the value in a slot is null.
  ///
  /// - Parameter slot: The index of the slot, not its byte offset.
  @inlinable @inline(__always)
  public func isNull(_ slot: Int) -> Bool { view.isNull(slot) }
  /// Returns the integer at a byte offset from the start of the row; 0 for a null.
  @inlinable @inline(__always)
  public func integer(at offset: Int) -> Int64 { view.integer(at: offset) }
  /// Returns the real number at a byte offset from the start of the row; 0 for a null.
  @inlinable @inline(__always)
  public func real(at offset: Int) -> Double { view.real(at: offset) }
  /// Returns the bytes of the string or data whose slot is at a byte offset from the start of the
  /// row; an empty buffer for a null.
  @inlinable @inline(__always)
  public func bytes(at offset: Int) -> UnsafeRawBufferPointer { view.bytes(at: offset) }
  /// Decodes and returns the string whose slot is at a byte offset from the start of the row; an
  /// empty string for a null.
  @inlinable @inline(__always)
  public func text(at offset: Int) -> String { String(packed: bytes(at: offset)) }
}

/// A view of a packed row's bytes. The view does not retain the row, so the caller must keep the
/// row alive.
public struct RowView {
  public let base: UnsafeRawPointer

  @inlinable @inline(__always)
  public init(_ base: UnsafeRawPointer) { self.base = base }

  /// The primary key; negative if the store has not assigned a permanent key.
  @inlinable @inline(__always)
  public var key: Int64 { base.load(fromByteOffset: RowLayout.key, as: Int64.self) }
  /// The row version for optimistic locking: 1 for a new row, increased by 1 with each update.
  @inlinable @inline(__always)
  public var version: Int64 { base.load(fromByteOffset: RowLayout.version, as: Int64.self) }
  /// The position of the row's actual entity in its compiled model.
  @inlinable @inline(__always)
  public var entityIndex: Int {
    Int(truncatingIfNeeded: base.load(fromByteOffset: RowLayout.entity, as: UInt32.self))
  }
  /// The length of the whole row in bytes, a multiple of eight.
  @inlinable @inline(__always)
  public var byteCount: Int {
    Int(truncatingIfNeeded: base.load(fromByteOffset: RowLayout.length, as: UInt32.self))
  }

  /// Prefetches the first bytes of the row into the processor's cache.
  ///
  /// Use this method for rows that were read long ago and are about to be used.
  ///
  /// - Parameter count: The number of bytes.
  @inline(__always)
  public func prefetch(_ count: Int) { ocd_prefetch(base, count) }

  /// Prefetches up to 1,024 bytes, beginning 1,024 bytes after the start of this row, into the
  /// processor's cache.
  ///
  /// Use this method when iterating over the rows of a chunk. The address of each row depends on
  /// the length of the previous row, so the processor cannot prefetch the rows itself.
  public func prefetchAhead() { ocd_prefetch(base + 1024, min(byteCount, 1024)) }

  /// Prefetches up to 512 bytes after this row, where the next row of the chunk begins, into the
  /// processor's cache.
  ///
  /// Objects are usually read in the order in which they were fetched.
  public func prefetchNext() {
    let length = byteCount
    ocd_prefetch(base + length, min(length, 512))
  }

  /// Returns whether the value in a slot is null.
  ///
  /// - Parameter slot: The index of the slot, not its byte offset.
  @inlinable @inline(__always)
  public func isNull(_ slot: Int) -> Bool {
    let word = base.load(fromByteOffset: RowLayout.nulls + (slot >> 6) &* 8, as: UInt64.self)
    return word & (1 &<< UInt64(slot & 63)) != 0
  }

  /// Returns the integer at a byte offset from the start of the row; 0 for a null.
  @inlinable @inline(__always)
  public func integer(at offset: Int) -> Int64 { base.load(fromByteOffset: offset, as: Int64.self) }
  /// Returns the real number at a byte offset from the start of the row; 0 for a null.
  @inlinable @inline(__always)
  public func real(at offset: Int) -> Double { base.load(fromByteOffset: offset, as: Double.self) }
  /// Returns the bytes of the string or data whose slot is at a byte offset from the start of the
  /// row; an empty buffer for a null.
  @inlinable @inline(__always)
  public func bytes(at offset: Int) -> UnsafeRawBufferPointer {
    let packed = base.load(fromByteOffset: offset, as: UInt64.self)
    return UnsafeRawBufferPointer(
      start: base + Int(truncatingIfNeeded: packed & 0xFFFF_FFFF),
      count: Int(truncatingIfNeeded: packed &>> 32))
  }
}

extension Row {
  /// Returns the value of a property; `.null` if the row has no value, if the property has no slot,
  /// or if the bytes of a damaged file are not a value of the property's type.
  ///
  /// The value of a to-one relationship is an object reference whose store token is 0.
  ///
  /// - Parameters:
  ///   - property: A property of the row's entity.
  ///   - model: The model of the row.
  public func value(of property: CompiledProperty, in model: CompiledModel) -> Value {
    guard let slot = property.slot, !isNull(slot) else { return .null }
    let offset = property.byteOffset
    switch property.kind {
    case .relationship(let relationship):
      let root = model.entities[relationship.destinationIndex].rootIndex
      return .object(
        ObjectReference(
          entityToken: model.entities[root].rootToken, storeToken: 0, key: integer(at: offset)))
    case .attribute(let attribute):
      return value(of: attribute.type, at: offset)
    }
  }

  /// Returns the value of the slot at a byte offset from the start of the row, decoded according to
  /// an attribute type; `.null` if the bytes of a damaged file are not a value of the type.
  ///
  /// The value must not be null; call ``isNull(_:)`` with its slot first.
  ///
  /// - Parameters:
  ///   - type: The type of the attribute.
  ///   - offset: The byte offset of the attribute's slot.
  public func value(of type: AttributeType, at offset: Int) -> Value {
    switch type {
    case .integer16, .integer32, .integer64, .objectID: .int(integer(at: offset))
    case .boolean: .bool(integer(at: offset) != 0)
    case .double, .float: .double(real(at: offset))
    case .date: .date(real(at: offset))
    case .string: String(validPacked: bytes(at: offset)).map { .string($0) } ?? .null
    case .uri:
      String(validPacked: bytes(at: offset)).flatMap { URL(string: $0) }.map { .url($0) } ?? .null
    case .uuid: uuid(at: offset).map { .uuid($0) } ?? .null
    case .decimal: Decimal(string: text(at: offset)).map { .decimal(DecimalValue($0)) } ?? .null
    case .binaryData, .transformable, .composite, .undefined: .data(Data(bytes(at: offset)))
    }
  }

  /// Returns the UUID whose slot is at a byte offset from the start of the row; nil if the data of
  /// the slot is not 16 bytes long.
  public func uuid(at offset: Int) -> UUID? {
    let bytes = bytes(at: offset)
    guard bytes.count == 16 else { return nil }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}

extension Row {
  /// Returns the content of a slot as an integer, a real number, text or data; `.null` if the slot
  /// has no value.
  ///
  /// - Parameters:
  ///   - slot: A slot of the row's entity.
  ///   - entity: The row's entity.
  public func content(of slot: Int, in entity: CompiledEntity) -> SlotContent {
    if isNull(slot) { return .null }
    let offset = RowLayout.slot(slot, of: entity)
    return switch entity.slots[slot].kind {
    case .integer: .integer(integer(at: offset))
    case .real: .real(real(at: offset))
    case .text, .decimal: .text(text(at: offset))
    case .blob: .data(Data(bytes(at: offset)))
    }
  }
}
