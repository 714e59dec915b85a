import Foundation

/// The committed pages of a write-ahead log, read without SQLite but with the same checks as in
/// SQLite.
///
/// SQLite ignores a log whose header is damaged. SQLite also ignores the first frame with wrong
/// salts or a wrong checksum, and all later frames. This type ignores the same logs and frames.
struct LogFrames {
  /// The facts about a database on its first page.
  struct Head: Equatable {
    /// The number of transactions that wrote page 1.
    let changeCounter: UInt32
    /// The number of pages of the database; nil if the header does not contain it.
    let pageCount: UInt32?

    init(_ page: Data) {
      changeCounter = page.bigEndian(at: 24)
      // SQLite trusts the count only beside the counter that it was written with.
      pageCount = page.bigEndian(at: 92) == changeCounter ? page.bigEndian(at: 28) : nil
    }
  }

  let pageSize: Int
  /// The position in the log of the newest committed version of each page.
  private(set) var pages: [UInt32: UInt64] = [:]
  /// The headers in the committed versions of page 1, the oldest first.
  private(set) var heads: [Head] = []
  /// The number of pages before the first version of page 1; nil if the first transaction contains
  /// page 1.
  private(set) var initialPageCount: UInt32?

  /// The number of bytes before the first frame.
  static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Reads a log. The result is nil for a log that SQLite ignores completely.
  ///
  /// - Throws: An error of reading the file.
  init?(_ path: String) throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }  // Nothing was written.
    guard let header = try file.read(upToCount: Self.headerSize), header.count == Self.headerSize,
      var sum = LogChecksum(header)
    else { return nil }
    let size = Int(header.bigEndian(at: 8))
    guard (512...65536).contains(size), size & (size - 1) == 0 else { return nil }
    pageSize = size
    try readFrames(file, salts: header.subdata(in: 16..<24), &sum)
  }

  private mutating func readFrames(
    _ file: FileHandle, salts: Data, _ sum: inout LogChecksum
  ) throws {
    var offset = UInt64(Self.headerSize)
    var transaction: [(page: UInt32, offset: UInt64)] = []
    var head: Head?
    let frameSize = Self.frameHeaderSize + pageSize
    while let frame = try file.read(upToCount: frameSize), frame.count == frameSize {
      let number = frame.bigEndian(at: 0)
      guard number > 0, frame.subdata(in: 8..<16) == salts, sum.accepts(frame) else { return }
      transaction.append((number, offset + UInt64(Self.frameHeaderSize)))
      if number == 1 { head = Head(frame.subdata(in: Self.frameHeaderSize..<frameSize)) }
      let pageCount = frame.bigEndian(at: 4)
      if pageCount > 0 {
        commit(transaction, head, pageCount)
        (transaction, head) = ([], nil)
      }
      offset += UInt64(frameSize)
    }
  }

  private mutating func commit(
    _ transaction: [(page: UInt32, offset: UInt64)], _ head: Head?, _ pageCount: UInt32
  ) {
    for (page, offset) in transaction { pages[page] = offset }
    if let head {
      heads.append(head)
    } else if heads.isEmpty {
      // Without page 1, a transaction cannot change the number of pages.
      initialPageCount = pageCount
    }
  }
}

/// The running checksum of a write-ahead log.
private struct LogChecksum {
  private var first: UInt32 = 0
  private var second: UInt32 = 0
  private let isBigEndian: Bool

  /// Creates a checksum from a header; nil if SQLite does not accept the header.
  init?(_ header: Data) {
    let magic = header.bigEndian(at: 0)
    guard magic & ~1 == 0x377F_0682, header.bigEndian(at: 4) == 3_007_000 else { return nil }
    isBigEndian = magic & 1 == 1
    add(header, 0..<24)
    guard agrees(with: header, at: 24) else { return nil }
  }

  /// Adds a frame and returns whether its checksum is right.
  mutating func accepts(_ frame: Data) -> Bool {
    add(frame, 0..<8)
    add(frame, 24..<frame.count)
    return agrees(with: frame, at: 16)
  }

  private func agrees(with data: Data, at offset: Int) -> Bool {
    data.bigEndian(at: offset) == first && data.bigEndian(at: offset + 4) == second
  }

  private mutating func add(_ data: Data, _ range: Range<Int>) {
    let (start, swaps) = (range.lowerBound, isBigEndian)
    var (first, second) = (first, second)
    data.withUnsafeBytes { bytes in
      var offset = start
      while offset + 8 <= range.upperBound {
        let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let other = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        first &+= (swaps ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
        second &+= (swaps ? UInt32(bigEndian: other) : UInt32(littleEndian: other)) &+ first
        offset += 8
      }
    }
    (self.first, self.second) = (first, second)
  }
}

extension Data {
  /// Returns four bytes of a SQLite header as an integer. The data must begin at index 0 and
  /// contain these bytes.
  func bigEndian(at offset: Int) -> UInt32 {
    withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
  }
}
