import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory of chunks.
///
/// The rows of a long fetch fill fresh pages, and each page costs the system as much time as several rows. After the
/// first megabyte, chunks of the usual size are allocated in regions with large pages.
enum ChunkMemory {
  /// The size of chunks that come from regions, in bytes: that of most chunks of a long fetch.
  static let blockSize = 64 << 10

  /// Memory for so many bytes, aligned to eight.
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

  /// Takes memory back that ``allocate(_:)`` gave for so many bytes.
  static func deallocate(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
    #if os(Linux)
      let block = UInt(bitPattern: memory)
      if byteCount == blockSize, regions.withLock({ $0.putBack(block) }) { return }
    #endif
    memory.deallocate()
  }

  /// Bytes in use that did not come from the allocator.
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
  /// Regions of memory, each of 32 blocks; addresses are multiples of the sizes. Empty regions are given back, but for one.
  private struct MemoryRegions {
    private static let size: UInt = 2 << 20
    private static let blockSize = UInt(ChunkMemory.blockSize)
    /// A bit for each block that is not in use, by the address of the region.
    private var idle: [UInt: UInt32] = [:]
    /// The regions that have such blocks.
    private var open: [UInt] = []
    /// A region without used blocks.
    private var spare: UInt?
    /// Used blocks of the regions.
    private(set) var usedCount = 0
    /// Used blocks that came from the allocator.
    private var plainCount = 0
    /// How many blocks come from the allocator before there are regions.
    private static let patience = 16

    /// The address of a block; nil when the allocator has to give one.
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

    /// Takes a block back; false when it came from the allocator.
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

    /// Requests a region from the system; nil when it has none.
    private mutating func addRegion() -> UInt? {
      let flags = MAP_PRIVATE | MAP_ANONYMOUS
      guard let map = mmap(nil, Int(2 * Self.size), PROT_READ | PROT_WRITE, flags, -1, 0),
        map != MAP_FAILED
      else { return nil }
      let first = UInt(bitPattern: map)
      let region = (first + Self.size - 1) / Self.size * Self.size
      Self.unmap(first, region - first)
      Self.unmap(region + Self.size, first + Self.size - region)
      // Without large pages the region is memory like any other.
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
