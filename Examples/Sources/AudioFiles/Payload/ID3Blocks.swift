/// The tags before and after the audio of MPEG files, which other formats may contain as well.
///
/// Stateless.
enum ID3Blocks {
  /// Returns the position after the ID3v2 tags at the start of a file.
  ///
  /// - Throws: `AudioFileError` with code `.damaged` if the file ends within a tag, or with `.tooLarge`.
  static func end(in file: OpenedFile) throws(AudioFileError) -> Int {
    var place = 0
    while let size = blockSize(try file.bytes(at: place, count: 10)) {
      guard place + size <= file.size else {
        throw .damaged(file.path, "The file is truncated in the middle of its tags.")
      }
      try requireReadable(file, place..<place + size)
      place += size
    }
    return place
  }

  private static func blockSize(_ header: [UInt8]) -> Int? {
    guard header.starts(with: "ID3".utf8), header.count == 10, header[3] < 0xFF, header[4] < 0xFF,
      let size = header.synchsafe(at: 6)
    else { return nil }
    return size + (header[5] & 0x10 != 0 ? 20 : 10)
  }

  /// Chapters can be nested, and TagLib reads each level recursively on the stack.
  private static let chapterLimit = 1_000
  private static let sizeLimit = 64 << 20

  /// TagLib expands compressed frames, up to a thousand times their size.
  private static let compressedLimit = 1 << 15

  /// Throws if TagLib could exhaust the stack or memory when reading a tag.
  static func requireReadable(
    _ file: OpenedFile, _ range: Range<Int>
  ) throws(AudioFileError) {
    guard range.count <= sizeLimit else {
      throw AudioFileError(
        .tooLarge, path: file.path,
        "The tags take up \(range.count >> 20) megabytes. Remove pictures from the tags."
      )
    }
    let bytes = try file.bytes(at: range.lowerBound, count: range.count)
    var count = 0
    for place in bytes.indices where bytes[place] == UInt8(ascii: "C") {
      if bytes.holds("CHAP", at: place) || bytes.holds("CTOC", at: place) { count += 1 }
    }
    guard count <= chapterLimit else {
      throw AudioFileError(
        .tooLarge, path: file.path,
        "The tags contain more than \(chapterLimit) chapters. Remove some of the chapters.")
    }
    if let frames = ID3Frames(bytes), frames.compressedCount > compressedLimit {
      throw AudioFileError(
        .tooLarge, path: file.path,
        "The tags contain large compressed frames. Save the tags without compression.")
    }
  }

  /// Returns the position where the tags at the end of a file begin.
  ///
  /// - Parameter start: The start of the audio, which no tag extends into.
  static func startOfTail(in file: OpenedFile, from start: Int) throws(AudioFileError) -> Int {
    var end = file.size
    while end > start {
      let bytes = try file.bytes(at: max(start, end - 128), count: min(128, end - start))
      guard let size = tailSize(bytes), size > 0, end - size >= start else { break }
      end -= size
    }
    return end
  }

  /// Returns the size of the tag that ends with the given bytes, of which there are at most 128.
  private static func tailSize(_ bytes: [UInt8]) -> Int? {
    if bytes.count == 128, bytes.starts(with: "TAG".utf8) { return 128 }
    let count = bytes.count
    if count >= 32, bytes.holds("APETAGEX", at: count - 32) {
      let hasHeader = bytes[count - 32 + 23] & 0x80 != 0
      return bytes.littleEndian(at: count - 20, count: 4) + (hasHeader ? 32 : 0)
    }
    if count >= 15, bytes.holds("LYRICS200", at: count - 9) {
      return Int(String(decoding: bytes[count - 15..<count - 9], as: UTF8.self)).map { $0 + 15 }
    }
    if count >= 10, bytes.holds("3DI", at: count - 10) {
      return bytes.synchsafe(at: count - 4).map { $0 + 20 }
    }
    return nil
  }
}
