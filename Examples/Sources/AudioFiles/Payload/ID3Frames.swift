/// The frames of an ID3v2 tag, located as TagLib locates them, to determine what it would expand.
///
/// A value.
struct ID3Frames {
  private let bytes: [UInt8]
  private let version: UInt8

  /// Creates the frames of a complete tag; returns nil for a version whose frames cannot be compressed.
  init?(_ tag: [UInt8]) {
    guard tag.count > 10, tag[3] == 3 || tag[3] == 4 else { return nil }
    version = tag[3]
    // In version 4, each frame states whether zero bytes were inserted, which its size includes.
    bytes = tag[5] & 0x80 != 0 && version == 3 ? Self.synchronized(tag) : tag
  }

  /// The number of compressed bytes in all frames, including frames within chapters.
  var compressedCount: Int {
    var start = 10
    if bytes[5] & 0x40 != 0 {
      start += version == 3 ? 4 + bytes.bigEndian(at: 10, count: 4) : bytes.synchsafe(at: 10) ?? 0
    }
    return compressedCount(in: start..<max(start, bytes.count), depth: 0)
  }

  private func compressedCount(in range: Range<Int>, depth: Int) -> Int {
    // Chapters nested more deeply than any program writes are counted in full.
    if depth > 8 { return range.count }
    var (count, place) = (0, range.lowerBound)
    while place + 10 <= range.upperBound, isName(at: place) {
      let size = size(at: place)
      let body = place + 10..<min(range.upperBound, place + 10 + size)
      if bytes[place + 9] & (version == 3 ? 0x80 : 0x08) != 0 { count += body.count }
      if let inner = chapterFrames(at: place, body) {
        count += compressedCount(in: inner, depth: depth + 1)
      }
      guard size > 0 else { return count }
      place += 10 + size
    }
    return count
  }

  private func isName(at place: Int) -> Bool {
    place + 4 <= bytes.count
      && bytes[place..<place + 4].allSatisfy {
        (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
      }
  }

  /// Some programs write version 4 sizes as in version 3, which is detected by the name that follows the frame.
  private func size(at place: Int) -> Int {
    let plain = bytes.bigEndian(at: place + 4, count: 4)
    guard version == 4, let size = bytes.synchsafe(at: place + 4) else { return plain }
    let isPlain = size > 127 && !isName(at: place + 10 + size) && isName(at: place + 10 + plain)
    return isPlain ? plain : size
  }

  /// Returns the range of the frames within a chapter or a table of contents, or nil for other frames.
  private func chapterFrames(at place: Int, _ body: Range<Int>) -> Range<Int>? {
    let isChapter = bytes.holds("CHAP", at: place)
    guard isChapter || bytes.holds("CTOC", at: place),
      var start = end(ofTextAt: body.lowerBound, body)
    else { return nil }
    if isChapter {
      start += 16
    } else {
      let children = start + 1 < body.upperBound ? Int(bytes[start + 1]) : 0
      start += 2
      for _ in 0..<children { start = end(ofTextAt: start, body) ?? body.upperBound }
    }
    return start < body.upperBound ? start..<body.upperBound : nil
  }

  private func end(ofTextAt place: Int, _ body: Range<Int>) -> Int? {
    guard place < body.upperBound else { return nil }
    return bytes[place..<body.upperBound].firstIndex(of: 0).map { $0 + 1 }
  }

  /// Returns the bytes without the zero bytes that prevent players from mistaking tags for audio.
  private static func synchronized(_ tag: [UInt8]) -> [UInt8] {
    var result = Array(tag.prefix(10))
    var isBehindOnes = false
    for byte in tag.dropFirst(10) {
      if !(isBehindOnes && byte == 0) { result.append(byte) }
      isBehindOnes = byte == 0xFF
    }
    return result
  }
}
