import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Allocates the memory of row chunks.
///
/// A long fetch fills new memory pages. For each new page, the system needs as much time as the
/// fetch needs for several rows. After the first megabyte, chunks of the usual size are allocated
/// in regions with large pages.
enum ChunkMemory {
  /// The size in bytes of chunks in regions, which is the size of most chunks of a long fetch.
  static let blockSize = 64 << 10

  /// Allocates memory that is aligned to eight bytes.
  static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    #if os(Linux)
      if byteCount == blockSize, let block = regions.withLock({ $0.take() }),
        let memory = UnsafeMutableRawPointer(bitPattern: block)
      {
        return memory
      }
    #endif
    return .allocate(byteCount: byteCount, alignment: 8)
  }

  /// Frees memory of the given size that ``allocate(_:)`` returned.
  static func deallocate(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
    #if os(Linux)
      let block = UInt(bitPattern: memory)
      if byteCount == blockSize, regions.withLock({ $0.putBack(block) }) { return }
    #endif
    memory.deallocate()
  }

  /// The number of used bytes that do not come from the allocator.
  static var regionByteCount: Int {
    #if os(Linux)
      regions.withLock { $0.usedCount } * blockSize
    #else
      0
    #endif
  }

  #if os(Linux)
    private static let regions = Mutex(MemoryRegions())
  #endif
}

#if os(Linux)
  /// Regions of 32 blocks each, at addresses that are multiples of the region size. All empty
  /// regions but one are returned to the system.
  private struct MemoryRegions {
    private static let size: UInt = 2 << 20
    private static let blockSize = UInt(ChunkMemory.blockSize)
    /// A bit for each idle block, by the address of the region.
    private var idle: [UInt: UInt32] = [:]
    /// The regions that have idle blocks.
    private var open: [UInt] = []
    /// An empty region that is kept for reuse.
    private var spare: UInt?
    /// The number of used blocks in regions.
    private(set) var usedCount = 0
    /// The number of used blocks that came from the allocator.
    private var plainCount = 0
    /// The number of blocks that come from the allocator before the first region is requested.
    private static let patience = 16

    /// Returns the address of a block; nil if the block must come from the allocator.
    mutating func take() -> UInt? {
      guard plainCount >= Self.patience, let region = open.last ?? addRegion(),
        let blocks = idle[region]
      else {
        plainCount += 1
        return nil
      }
      let index = blocks.trailingZeroBitCount
      let rest = blocks & ~(1 << UInt32(index))
      idle[region] = rest
      if rest == 0 { open.removeLast() }
      if region == spare { spare = nil }
      usedCount += 1
      return region + UInt(index) * Self.blockSize
    }

    /// Takes back a block; returns false if the block came from the allocator.
    mutating func putBack(_ block: UInt) -> Bool {
      let region = block / Self.size * Self.size
      guard let blocks = idle[region] else {
        plainCount -= 1
        return false
      }
      usedCount -= 1
      if blocks == 0 { open.append(region) }
      let rest = blocks | 1 << UInt32((block - region) / Self.blockSize)
      idle[region] = rest
      if rest == .max { emptied(region) }
      return true
    }

    private mutating func emptied(_ region: UInt) {
      guard spare != nil else {
        spare = region
        return
      }
      idle[region] = nil
      open.removeAll { $0 == region }
      Self.unmap(region, Self.size)
    }

    /// Requests a region from the system; returns nil if no memory is available.
    private mutating func addRegion() -> UInt? {
      let flags = MAP_PRIVATE | MAP_ANONYMOUS
      guard let map = mmap(nil, Int(2 * Self.size), PROT_READ | PROT_WRITE, flags, -1, 0),
        map != MAP_FAILED
      else { return nil }
      let first = UInt(bitPattern: map)
      let region = (first + Self.size - 1) / Self.size * Self.size
      Self.unmap(first, region - first)
      Self.unmap(region + Self.size, first + Self.size - region)
      // Without large pages, the region is ordinary memory.
      _ = madvise(UnsafeMutableRawPointer(bitPattern: region), Int(Self.size), MADV_HUGEPAGE)
      idle[region] = .max
      open.append(region)
      return region
    }

    private static func unmap(_ start: UInt, _ byteCount: UInt) {
      if byteCount > 0 { munmap(UnsafeMutableRawPointer(bitPattern: start), Int(byteCount)) }
    }
  }
#endif
