public import OpenObjectModel

/// A block of packed rows: the one form in which rows travel from a store to objects and back.
///
/// A row is `key`, `version`, `entity` and length (24 bytes), the null bitmap, one 8-byte slot a stored
/// column, then the bytes of texts and data. The store that fills a chunk owns it until it is complete;
/// from then on it is immutable, so the row cache and any number of contexts share it.
// Shared between threads without a lock. Invariant: `used`, `rowCount`, the references, `readTime` and `owner` are written
// only by the thread that made the chunk, before the chunk is visible to another one; `prefetched` is used only by that
// thread, and by whichever frees the chunk; `listedCount` is used only under the owner's lock.
public final class RowChunk: @unchecked Sendable {
  /// First byte of the first row.
  public let base: UnsafeMutableRawPointer
  /// The number of allocated bytes.
  public let capacity: Int
  /// The number of bytes filled with rows, a multiple of eight.
  @exclusivity(unchecked) public internal(set) var used = 0
  /// Rows in the chunk.
  @exclusivity(unchecked) public internal(set) var rowCount = 0
  /// Where this chunk finds its successor, and where the chunk before it finds this one.
  @exclusivity(unchecked) private var succession: WeakReference<RowChunk>?
  @exclusivity(unchecked) private var precession: WeakReference<RowChunk>?
  /// Chunks of prefetched destinations, kept as long as the rows that point at them.
  @exclusivity(unchecked) public var prefetched: [RowChunk] = []
  /// When the rows were read, in seconds of a monotonic clock.
  @exclusivity(unchecked) public private(set) var readTime = 0.0
  /// Notified when the chunk is deallocated; set by the row cache that lists its rows.
  @exclusivity(unchecked) private var owner: (any RowChunkOwner)?
  /// Rows that the owner lists.
  @exclusivity(unchecked) private var listedCount = 0

  // Called from other modules, where plain fields would be checked for overlapping access each time.

  /// Sets the used size of the chunk.
  public func fill(used: Int, rowCount: Int) {
    self.used = used
    self.rowCount = rowCount
  }

  /// Sets the owner that lists the chunk, and the time at which its rows were read.
  public func join(_ owner: any RowChunkOwner, at time: Double) {
    self.owner = owner
    readTime = time
  }

  /// Adds to the number of rows that the owner lists; the owner's lock must be held.
  public func noteListed(_ count: Int) { listedCount += count }

  /// Whether the owner lists any of the rows; the owner's lock must be held.
  public var isListed: Bool { listedCount > 0 }

  /// Creates an empty chunk.
  ///
  /// - Parameter capacity: The size in bytes; a row never spans two chunks.
  public init(capacity: Int) {
    self.capacity = capacity
    base = ChunkMemory.allocate(capacity)
  }

  /// The number of bytes of used chunks of all stores that the allocator's statistics do not include.
  ///
  /// An addition, for programs that monitor their memory. May be read on any thread.
  public static var byteCountBesideAllocator: Int { ChunkMemory.regionByteCount }

  deinit {
    precession?.end()
    owner?.chunkWillDeallocate(self)
    ChunkMemory.deallocate(base, capacity)
  }

  /// The chunk that continues the same fetch, if it still exists; its rows are siblings of this chunk's rows.
  public var next: RowChunk? {
    get { succession?.target }
    set {
      let weakReference = newValue.map { WeakReference($0) }
      succession = weakReference
      newValue?.precession = weakReference
    }
  }

  /// Calls `body` with the address of each row, in the order in which the rows were packed.
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

  /// Calls `body` with each row, in the order in which the rows were packed.
  @inlinable @inline(__always)
  public func forEachRow(_ body: (Row) throws -> Void) rethrows {
    try forEachRowAddress { try body(Row(chunk: self, base: $0)) }
  }
}

/// The owner of a list of a chunk's rows that does not retain the chunk.
public protocol RowChunkOwner: AnyObject, Sendable {
  /// Tells that the chunk is about to free its rows; may come from any thread.
  func chunkWillDeallocate(_ chunk: RowChunk)
}

/// Byte positions within a packed row, shared with the packing code in C.
public enum RowLayout {
  /// Offset of the primary key (Int64).
  @inlinable @inline(__always) public static var key: Int { 0 }
  /// Offset of the row version (Int64).
  @inlinable @inline(__always) public static var version: Int { 8 }
  /// Offset of the entity's position in the model (UInt32).
  @inlinable @inline(__always) public static var entity: Int { 16 }
  /// Offset of the row's length in bytes (UInt32), a multiple of eight.
  @inlinable @inline(__always) public static var length: Int { 20 }
  /// Offset of the null bitmap, whose length is the entity's `nullWordCount`.
  @inlinable @inline(__always) public static var nulls: Int { 24 }

  /// The number of bytes before the strings and data of a row of `entity`.
  ///
  /// - Returns: The number of bytes before the strings and data of a row of `entity`.
  @inlinable @inline(__always)
  public static func fixedSize(of entity: CompiledEntity) -> Int {
    nulls + 8 * entity.nullWordCount + 8 * entity.slots.count
  }

  /// Offset of a slot of a row of `entity`.
  ///
  /// - Returns: Offset of a slot of a row of `entity`.
  @inlinable @inline(__always)
  public static func slot(_ slot: Int, of entity: CompiledEntity) -> Int {
    nulls + 8 * entity.nullWordCount + 8 * slot
  }
}
