public import OpenObjectModel

/// A block of packed rows.
///
/// Stores pass rows to managed objects in chunks.
///
/// A row consists of its key, version, entity and length (24 bytes), the null bitmap, one 8-byte
/// slot for each stored column, and the bytes of strings and data. While a store fills a chunk, no
/// other code uses the chunk. A complete chunk is immutable, so the row cache and any number of
/// contexts can share the chunk.
// Shared between threads without a lock. Invariant: `used`, `rowCount`, the references, `readTime`
// and `owner` are written only by the thread that created the chunk, before another thread can see
// the chunk; `prefetched` is used only by that thread and by the thread that frees the chunk;
// `listedCount` is used only under the owner's lock.
public final class RowChunk: @unchecked Sendable {
  /// The address of the first byte of the first row.
  public let base: UnsafeMutableRawPointer
  /// The number of allocated bytes.
  public let capacity: Int
  /// The number of bytes filled with rows, a multiple of eight.
  @exclusivity(unchecked) public internal(set) var used = 0
  /// The number of rows in the chunk.
  @exclusivity(unchecked) public internal(set) var rowCount = 0
  /// The reference to the next chunk, and the previous chunk's reference to this chunk.
  @exclusivity(unchecked) private var succession: WeakReference<RowChunk>?
  @exclusivity(unchecked) private var precession: WeakReference<RowChunk>?
  /// The chunks of prefetched destinations, which this chunk keeps in memory.
  @exclusivity(unchecked) public var prefetched: [RowChunk] = []
  /// The time at which the rows were read, in seconds of a monotonic clock.
  @exclusivity(unchecked) public private(set) var readTime = 0.0
  /// The row cache that lists rows of this chunk, and that is notified when the chunk is
  /// deallocated.
  @exclusivity(unchecked) private var owner: (any RowChunkOwner)?
  /// The number of rows that the owner lists.
  @exclusivity(unchecked) private var listedCount = 0

  // Other modules call these methods. If they used the fields directly, each access would include
  // an exclusivity check.

  /// Sets the number of used bytes and the number of rows.
  ///
  /// - Parameters:
  ///   - used: The number of bytes filled with rows, a multiple of eight.
  ///   - rowCount: The number of rows in the chunk.
  public func fill(used: Int, rowCount: Int) {
    self.used = used
    self.rowCount = rowCount
  }

  /// Sets the row cache that lists the rows of this chunk.
  ///
  /// - Parameters:
  ///   - owner: The row cache that lists the rows.
  ///   - time: The time at which the rows were read, in seconds of a monotonic clock.
  public func join(_ owner: any RowChunkOwner, at time: Double) {
    self.owner = owner
    readTime = time
  }

  /// Adds a count to the number of rows that the owner lists. The count is negative for rows that
  /// the owner no longer lists. The caller must hold the owner's lock.
  public func noteListed(_ count: Int) { listedCount += count }

  /// Whether the owner lists any of the rows; the caller must hold the owner's lock.
  public var isListed: Bool { listedCount > 0 }

  /// Creates an empty chunk.
  ///
  /// - Parameter capacity: The size of the chunk in bytes. A row never spans two chunks.
  public init(capacity: Int) {
    self.capacity = capacity
    base = ChunkMemory.allocate(capacity)
  }

  /// The total size, in bytes, of the row chunks that the process stores outside the allocator's
  /// memory.
  ///
  /// The allocator's statistics do not include these chunks.
  ///
  /// Programs that monitor their memory can read this property on any thread.
  ///
  /// This is an addition to Apple's API.
  public static var byteCountBesideAllocator: Int { ChunkMemory.regionByteCount }

  deinit {
    precession?.end()
    owner?.chunkWillDeallocate(self)
    ChunkMemory.deallocate(base, capacity)
  }

  /// The chunk with the next rows of the same fetch; nil if there are no more rows, or if the next
  /// chunk was deallocated.
  public var next: RowChunk? {
    get { succession?.target }
    set {
      let weakReference = newValue.map { WeakReference($0) }
      succession = weakReference
      newValue?.precession = weakReference
    }
  }

  /// Calls `body` with the address of each row, in packing order.
  ///
  /// - Throws: The error that `body` throws.
  @inlinable @inline(__always)
  public func forEachRowAddress(_ body: (UnsafeRawPointer) throws -> Void) rethrows {
    var row = UnsafeRawPointer(base)
    let end = row + used
    while row < end {
      try body(row)
      row += Int(
        truncatingIfNeeded: row.load(fromByteOffset: RowLayout.length, as: UInt32.self))
    }
  }

  /// Calls `body` with each row, in packing order.
  ///
  /// - Throws: The error that `body` throws.
  @inlinable @inline(__always)
  public func forEachRow(_ body: (Row) throws -> Void) rethrows {
    try forEachRowAddress { try body(Row(chunk: self, base: $0)) }
  }
}

/// An object that lists rows of a chunk without retaining the chunk.
public protocol RowChunkOwner: AnyObject, Sendable {
  /// Notifies the owner that a chunk is about to free its rows; the call may come from any thread.
  func chunkWillDeallocate(_ chunk: RowChunk)
}

/// The byte offsets in a packed row, which the packing code in C also uses.
public enum RowLayout {
  /// The offset of the primary key (Int64).
  @inlinable @inline(__always) public static var key: Int { 0 }
  /// The offset of the row version (Int64).
  @inlinable @inline(__always) public static var version: Int { 8 }
  /// The offset of the entity's position in the model (UInt32).
  @inlinable @inline(__always) public static var entity: Int { 16 }
  /// The offset of the row's length in bytes (UInt32), a multiple of eight.
  @inlinable @inline(__always) public static var length: Int { 20 }
  /// The offset of the null bitmap; the length of the bitmap is the entity's `nullWordCount`, in
  /// 8-byte words.
  @inlinable @inline(__always) public static var nulls: Int { 24 }

  /// Returns the number of bytes before the strings and data in a row of an entity.
  @inlinable @inline(__always)
  public static func fixedSize(of entity: CompiledEntity) -> Int {
    nulls + 8 * entity.nullWordCount + 8 * entity.slots.count
  }

  /// Returns the byte offset of a slot in a row of an entity.
  @inlinable @inline(__always)
  public static func slot(_ slot: Int, of entity: CompiledEntity) -> Int {
    nulls + 8 * entity.nullWordCount + 8 * slot
  }
}
