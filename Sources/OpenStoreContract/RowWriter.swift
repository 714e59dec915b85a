import Foundation
public import OpenObjectModel
public import OpenPredicates

/// Packs rows into chunks, the form in which stores and objects exchange rows.
///
/// Writers pack the rows of a save, the rows of the memory store, and the default row of each
/// entity.
///
/// A writer is confined to one thread. Several threads may share the filled chunks after the last
/// use of the writer.
public struct RowWriter {
  private var chunk: RowChunk
  private let chunkCapacity: Int
  /// The end of the chunk's memory, cached so that checking for room does not retain the chunk.
  private var end: UnsafeMutableRawPointer
  private var open: UnsafeMutableRawPointer?
  private var openCursor = 0
  /// The chunks that contain rows, in packing order; empty if the writer retains only the current
  /// chunk.
  public private(set) var chunks: [RowChunk] = []
  private let retention: Retention

  /// The chunks that a writer retains.
  package enum Retention {
    /// All chunks that contain rows.
    case all
    /// Only the current chunk, for a read that passes each chunk to its caller and does not keep
    /// all rows in memory.
    case current
  }

  /// Creates a writer that retains all chunks.
  ///
  /// - Parameter capacity: The size of each chunk in bytes; a larger row receives its own chunk.
  public init(capacity: Int = 64 << 10) { self.init(capacity: capacity, retaining: .all) }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - capacity: The size of each chunk in bytes; a larger row receives its own chunk.
  ///   - retention: The chunks that the writer retains.
  package init(capacity: Int, retaining retention: Retention) {
    self.retention = retention
    chunkCapacity = capacity
    chunk = RowChunk(capacity: capacity)
    end = chunk.base + chunk.capacity
  }

  /// Packs a row.
  ///
  /// The program terminates if the row would exceed four gigabytes.
  ///
  /// - Parameters:
  ///   - entity: The row's actual entity.
  ///   - key: The row's primary key.
  ///   - version: The row version for optimistic locking.
  ///   - base: A row of the same entity, which provides the contents of all slots that are not in
  ///     `values`; nil to leave these slots null.
  ///   - values: The slots to change, with their new contents, in any order.
  /// - Returns: The packed row.
  /// - Complexity: O(*n*) in the length of the row.
  public mutating func row(
    of entity: CompiledEntity, key: Int64, version: Int64, over base: RowView?, values: [SlotValue]
  ) -> Row {
    beginRow(of: entity, over: base, replacing: values)
    for value in values { put(value.content, value.slot, of: entity) }
    return finishRow(of: entity, key: key, version: version)
  }

  /// Packs a row, or throws if the row would be too long.
  ///
  /// - Parameters:
  ///   - entity: The row's actual entity.
  ///   - key: The row's primary key.
  ///   - version: The row version for optimistic locking.
  ///   - base: A row of the same entity, which provides the contents of all slots that are not in
  ///     `values`; nil to leave these slots null.
  ///   - values: The slots to change, with their new contents, in any order.
  /// - Returns: The packed row.
  /// - Throws: `StoreError` with code `.unfitValue` if the row would exceed four gigabytes.
  /// - Complexity: O(*n*) in the length of the row.
  package mutating func checkedRow(
    of entity: CompiledEntity, key: Int64, version: Int64, over base: RowView?, values: [SlotValue]
  ) throws(StoreError) -> Row {
    beginRow(of: entity, over: base, replacing: values)
    try put(values, of: entity)
    return finishRow(of: entity, key: key, version: version)
  }

  /// Begins a row whose values in some slots are replaced.
  private mutating func beginRow(
    of entity: CompiledEntity, over base: RowView?, replacing values: [SlotValue]
  ) {
    let bytes = OrdinalSet(values.lazy.map(\.slot).filter { entity.slots[$0].kind.isVariable })
    if let base, !bytes.isEmpty {
      beginRow(over: base, without: bytes, of: entity)
    } else if let base {
      beginRow(over: base)
    } else {
      beginRow(of: entity)
    }
  }

  /// Begins a row without values; `put` sets values, and `finishRow` ends the row.
  ///
  /// - Parameter entity: The row's actual entity.
  package mutating func beginRow(of entity: CompiledEntity) {
    let length = RowLayout.fixedSize(of: entity)
    let start = reserve(length + 8)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: length)
    markAllNull(start, entity)
    open = start
    openCursor = length
  }

  /// Begins a copy of a base row; `put` changes values, and `finishRow` ends the row.
  public mutating func beginRow(over base: RowView) {
    let length = base.byteCount
    let start = reserve(length + 8)
    start.copyMemory(from: base.base, byteCount: length)
    open = start
    openCursor = length
  }

  /// Begins a copy of a base row without the strings and data of some slots.
  ///
  /// - Parameters:
  ///   - base: The row to copy.
  ///   - replaced: The slots whose strings and data are not copied; the caller must set these slots
  ///     with `put`.
  ///   - entity: The entity of the row.
  /// - Complexity: O(*n*) in the length of the row.
  public mutating func beginRow(
    over base: RowView, without replaced: OrdinalSet, of entity: CompiledEntity
  ) {
    let length = RowLayout.fixedSize(of: entity)
    let start = reserve(base.byteCount + 8)
    start.copyMemory(from: base.base, byteCount: length)
    open = start
    openCursor = length
    for slot in entity.slots.indices where entity.slots[slot].kind.isVariable {
      if base.isNull(slot) || replaced.contains(slot) { continue }
      let bytes = base.bytes(at: RowLayout.slot(slot, of: entity))
      putBytes(bytes, slot: slot, at: start, cursor: &openCursor, of: entity)
    }
  }

  /// Writes an attribute's value to a slot of the current row.
  ///
  /// - Parameters:
  ///   - value: The value to write.
  ///   - slot: The slot of the attribute.
  ///   - entity: The entity of the row.
  /// - Returns: `true` if the value was written; `false` if the slot cannot contain the value, the
  ///   attribute does not allow the value, or the row would exceed four gigabytes.
  public mutating func put(_ value: Value, _ slot: Int, of entity: CompiledEntity) -> Bool {
    guard entity.slots[slot].domain.accepts(value) else { return false }
    // The most frequent combinations take a direct path.
    switch (entity.slots[slot].kind, value) {
    case (.integer, .int(let integer)): put(integer, slot, of: entity)
    case (.integer, .bool(let flag)): put(flag ? 1 : 0, slot, of: entity)
    case (.real, .double(let real)), (.real, .date(let real)):
      put(Int64(bitPattern: real.bitPattern), slot, of: entity)
    case (.text, .string(let text)):
      let isPlaced = text.utf8.withContiguousStorageIfAvailable {
        place(UnsafeRawBufferPointer($0), slot, of: entity)
      }
      if let isPlaced { return isPlaced }
      return place(text, slot, of: entity)
    default:
      guard let content = SlotContent(value, as: entity.slots[slot].kind) else { return false }
      return place(content, slot, of: entity)
    }
    return true
  }

  /// Writes the eight bytes of a number to a slot of the current row; does nothing if there is no
  /// current row.
  ///
  /// - Parameters:
  ///   - word: The bytes of the number.
  ///   - slot: The slot of the property.
  ///   - entity: The entity of the row.
  @inline(__always)
  public mutating func put(_ word: Int64, _ slot: Int, of entity: CompiledEntity) {
    guard let open else { return }
    open.storeBytes(of: word, toByteOffset: RowLayout.slot(slot, of: entity), as: Int64.self)
    setNull(false, slot, open)
  }

  /// Writes content to a slot of the current row.
  ///
  /// The program terminates if the row would exceed four gigabytes.
  ///
  /// - Parameters:
  ///   - content: The content to write.
  ///   - slot: The slot of the property.
  ///   - entity: The entity of the row.
  @inline(__always)
  public mutating func put(_ content: SlotContent, _ slot: Int, of entity: CompiledEntity) {
    let isPlaced = place(content, slot, of: entity)
    precondition(isPlaced, Self.excess)
  }

  /// Writes contents to slots of the current row.
  ///
  /// - Parameters:
  ///   - values: The slots with their contents.
  ///   - entity: The entity of the row.
  /// - Throws: `StoreError` with code `.unfitValue` if the row would exceed four gigabytes.
  package mutating func put(_ values: [SlotValue], of entity: CompiledEntity) throws(StoreError) {
    for value in values where !place(value.content, value.slot, of: entity) {
      let property = entity.properties[entity.slots[value.slot].propertyOrdinal]
      throw StoreError(
        .unfitValue, Self.excess, entityName: entity.name, propertyName: property.name)
    }
  }

  /// Writes content to a slot of the current row.
  ///
  /// - Parameters:
  ///   - content: The content to write.
  ///   - slot: The slot of the property.
  ///   - entity: The entity of the row.
  /// - Returns: `true` if the content was written; `false` if the row would exceed four gigabytes.
  @inline(__always)
  package mutating func place(
    _ content: SlotContent, _ slot: Int, of entity: CompiledEntity
  ) -> Bool {
    switch content {
    case .integer(let integer): put(integer, slot, of: entity)
    case .real(let real): put(Int64(bitPattern: real.bitPattern), slot, of: entity)
    case .null: putNull(slot, of: entity)
    case .text(let text): return place(text, slot, of: entity)
    case .data(let data): return data.withUnsafeBytes { place($0, slot, of: entity) }
    }
    return true
  }

  private mutating func putNull(_ slot: Int, of entity: CompiledEntity) {
    guard let open else { return }
    open.storeBytes(of: 0, toByteOffset: RowLayout.slot(slot, of: entity), as: Int64.self)
    setNull(true, slot, open)
  }

  private mutating func place(_ text: String, _ slot: Int, of entity: CompiledEntity) -> Bool {
    var text = text
    return text.withUTF8 { place(UnsafeRawBufferPointer($0), slot, of: entity) }
  }

  /// Writes a string or data to a slot of the current row.
  ///
  /// The program terminates if the row would exceed four gigabytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the string or data.
  ///   - slot: The slot of the property.
  ///   - entity: The entity of the row.
  package mutating func put(
    _ bytes: UnsafeRawBufferPointer, _ slot: Int, of entity: CompiledEntity
  ) {
    let isPlaced = place(bytes, slot, of: entity)
    precondition(isPlaced, Self.excess)
  }

  /// Writes a string or data. Returns `false` if the row would be too long.
  @inline(__always)
  private mutating func place(
    _ bytes: UnsafeRawBufferPointer, _ slot: Int, of entity: CompiledEntity
  ) -> Bool {
    guard makeRoom(bytes.count) else { return false }
    guard let open else { return true }
    putBytes(bytes, slot: slot, at: open, cursor: &openCursor, of: entity)
    setNull(false, slot, open)
    return true
  }

  /// Moves the current row to a new chunk if this chunk has too little room. Returns `false` if the
  /// row would be too long.
  @inline(__always)
  private mutating func makeRoom(_ byteCount: Int) -> Bool {
    guard let open, open + (openCursor + byteCount + 8) > end else { return true }
    return moveRow(open, byteCount)
  }

  private mutating func moveRow(_ start: UnsafeMutableRawPointer, _ byteCount: Int) -> Bool {
    let length = openCursor + byteCount
    guard length <= Self.greatestLength else { return false }
    // A row in the new chunk cannot become too long without another move.
    let capacity = max(chunkCapacity, min(length * 2, Self.greatestLength) + 8)
    let larger = RowChunk(capacity: capacity)
    larger.base.copyMemory(from: start, byteCount: openCursor)
    use(larger)
    open = larger.base
    return true
  }

  /// The maximum length of a row, in bytes. A row contains its length as a 32-bit number.
  private static let greatestLength = Int(UInt32.max) & ~7
  private static let excess = "The values of an object can total at most four gigabytes."

  /// Discards the current row.
  public mutating func dropRow() { open = nil }

  /// Ends the current row, and sets its primary key and row version.
  ///
  /// - Parameters:
  ///   - entity: The row's actual entity.
  ///   - key: The row's primary key.
  ///   - version: The row version for optimistic locking.
  /// - Returns: The packed row.
  public mutating func finishRow(of entity: CompiledEntity, key: Int64, version: Int64) -> Row {
    let start = open ?? reserve(RowLayout.fixedSize(of: entity))
    open = nil
    return seal(start, openCursor, of: entity, key: key, version: version)
  }

  private mutating func seal(
    _ start: UnsafeMutableRawPointer, _ cursor: Int, of entity: CompiledEntity, key: Int64,
    version: Int64
  ) -> Row {
    let length = (cursor + 7) & ~7
    start.storeBytes(of: key, toByteOffset: RowLayout.key, as: Int64.self)
    start.storeBytes(of: version, toByteOffset: RowLayout.version, as: Int64.self)
    start.storeBytes(of: UInt32(entity.index), toByteOffset: RowLayout.entity, as: UInt32.self)
    start.storeBytes(of: UInt32(length), toByteOffset: RowLayout.length, as: UInt32.self)
    if chunk.used == 0, retention == .all { chunks.append(chunk) }
    chunk.used += length
    chunk.rowCount += 1
    return Row(chunk: chunk, base: UnsafeRawPointer(start))
  }

  private func markAllNull(_ start: UnsafeMutableRawPointer, _ entity: CompiledEntity) {
    for word in 0..<entity.nullWordCount {
      start.storeBytes(of: UInt64.max, toByteOffset: RowLayout.nulls + 8 * word, as: UInt64.self)
    }
  }

  @inline(__always)
  private func putBytes(
    _ bytes: UnsafeRawBufferPointer, slot: Int, at start: UnsafeMutableRawPointer,
    cursor: inout Int, of entity: CompiledEntity
  ) {
    if let source = bytes.baseAddress {
      (start + cursor).copyMemory(from: source, byteCount: bytes.count)
    }
    let packed = UInt64(bytes.count) << 32 | UInt64(cursor)
    start.storeBytes(
      of: packed, toByteOffset: RowLayout.slot(slot, of: entity), as: UInt64.self)
    cursor += bytes.count
  }

  @inline(__always)
  private func setNull(_ isNull: Bool, _ slot: Int, _ start: UnsafeMutableRawPointer) {
    let offset = RowLayout.nulls + (slot >> 6) * 8, bit = UInt64(1) << UInt64(slot & 63)
    let word = start.load(fromByteOffset: offset, as: UInt64.self)
    start.storeBytes(of: isNull ? word | bit : word & ~bit, toByteOffset: offset, as: UInt64.self)
  }

  private mutating func reserve(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if chunk.used + byteCount > chunk.capacity {
      use(RowChunk(capacity: max(chunkCapacity, byteCount)))
    }
    return chunk.base + chunk.used
  }

  private mutating func use(_ new: RowChunk) {
    chunk = new
    end = new.base + new.capacity
  }
}
