public import OpenObjectModel

/// A block of packed rows: the one form in which rows travel from a store to objects and back.
///
/// A row is `key`, `version`, `entity` and length (24 bytes), the null bitmap, one 8-byte slot a stored
/// column, then the bytes of texts and data. The store that fills a chunk owns it until it hands it over;
/// from then on nobody writes to it, so that the row cache and any number of contexts share it.
// Shared between threads without a lock. Invariant: `used`, `rowCount`, the references, `readTime` and `owner` are written
// only by the thread that made the chunk, before the chunk is visible to another one; `prefetched` is used only by that
// thread, and by whichever frees the chunk; `listedCount` is used only under the owner's lock.
public final class RowChunk: @unchecked Sendable {
  /// First byte of the first row.
  public let base: UnsafeMutableRawPointer
  /// Bytes allocated.
  public let capacity: Int
  /// Bytes filled with rows, a multiple of eight.
  @exclusivity(unchecked) public internal(set) var used = 0
  /// Rows in the chunk.
  @exclusivity(unchecked) public internal(set) var rowCount = 0
  /// Where this chunk finds its successor, and where the chunk before it finds this one.
  @exclusivity(unchecked) private var succession: WeakReference<RowChunk>?
  @exclusivity(unchecked) private var precession: WeakReference<RowChunk>?
  /// Chunks of prefetched destinations, kept as long as the rows that point at them.
  @exclusivity(unchecked) public var prefetched: [RowChunk] = []
  /// When the rows were read, in seconds of a clock that only goes on.
  @exclusivity(unchecked) public private(set) var readTime = 0.0
  /// Told when the chunk goes away; set by the row cache that lists its rows.
  @exclusivity(unchecked) private var owner: (any RowChunkOwner)?
  /// Rows that the owner lists.
  @exclusivity(unchecked) private var listedCount = 0

  // Called from other modules, where plain fields would be checked for overlapping access each time.

  /// Says how much of the chunk is filled.
  public func fill(used: Int, rowCount: Int) {
    self.used = used
    self.rowCount = rowCount
  }

  /// Makes the chunk one of those that an owner lists, with the time at which its rows were read.
  public func join(_ owner: any RowChunkOwner, at time: Double) {
    self.owner = owner
    readTime = time
  }

  /// Tells the chunk that its owner, whose lock is held, lists so many more of its rows.
  public func noteListed(_ count: Int) { listedCount += count }

  /// Whether its owner, whose lock is held, lists any of the rows.
  public var isListed: Bool { listedCount > 0 }

  /// Makes an empty chunk.
  ///
  /// - Parameter capacity: Size in bytes; a row never continues in another chunk.
  public init(capacity: Int) {
    self.capacity = capacity
    base = ChunkMemory.allocate(capacity)
  }

  /// Bytes of chunks in use, of all stores, that are no part of what the allocator says is in use.
  ///
  /// An addition, for programs that watch their memory. May be asked on any thread.
  public static var byteCountBesideAllocator: Int { ChunkMemory.regionByteCount }

  deinit {
    precession?.end()
    owner?.chunkWillDeallocate(self)
    ChunkMemory.deallocate(base, capacity)
  }

  /// The chunk that continues the same fetch, if it still is there: its rows are the siblings of this one's.
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

/// Whoever keeps a list of a chunk's rows without keeping the chunk alive.
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

  /// Bytes before the texts and data of a row of `entity`.
  @inlinable @inline(__always)
  public static func fixedSize(of entity: CompiledEntity) -> Int {
    nulls + 8 * entity.nullWordCount + 8 * entity.slots.count
  }

  /// Offset of a slot of a row of `entity`.
  @inlinable @inline(__always)
  public static func slot(_ slot: Int, of entity: CompiledEntity) -> Int {
    nulls + 8 * entity.nullWordCount + 8 * slot
  }
}
