/// The location of MPEG audio in a file.
///
/// Stateless.
enum MPEGPayload {
  /// The maximum distance between the tags and the first frame.
  private static let searchedBytes = 1 << 16

  /// Returns the position of the first frame that is followed by a frame of the same kind, or nil if there is none.
  static func firstFrame(in file: OpenedFile, from start: Int) throws(AudioFileError) -> Int? {
    let bytes = try file.bytes(at: start, count: searchedBytes)
    for place in bytes.indices where bytes[place] == 0xFF {
      guard let frame = MPEGFrame(bytes, at: place) else { continue }
      let next = try file.bytes(at: start + place + frame.size, count: 4)
      if let next = MPEGFrame(next), next.isLike(frame) { return start + place }
    }
    return nil
  }

  static func range(in file: OpenedFile) throws(AudioFileError) -> Range<Int> {
    let start = try ID3Blocks.end(in: file)
    let end = try ID3Blocks.startOfTail(in: file, from: start)
    guard let first = try firstFrame(in: file, from: start) else {
      throw .damaged(file.path, "The file has tags but no audio.")
    }
    try requireWhole(file, first..<max(first, end))
    return start..<end
  }

  /// Encoders count slightly more than the frames; players do not notice what is missing within this tolerance.
  private static let tolerance = 4_096

  /// Compares the file with the number of bytes that its encoder recorded, if any.
  private static func requireWhole(
    _ file: OpenedFile, _ audio: Range<Int>
  ) throws(AudioFileError) {
    let bytes = try file.bytes(at: audio.lowerBound, count: 64)
    guard let frame = MPEGFrame(bytes) else { return }
    let note = frame.noteOffset
    guard bytes.holds("Xing", at: note) || bytes.holds("Info", at: note) else { return }
    let flags = bytes.bigEndian(at: note + 4, count: 4)
    guard flags & 2 != 0 else { return }
    let stated = bytes.bigEndian(at: note + (flags & 1 != 0 ? 12 : 8), count: 4)
    guard stated <= audio.count + tolerance else {
      throw .damaged(file.path, "The file is truncated before the end of its audio.")
    }
  }
}
