/// The location of the frames in a FLAC file.
///
/// Stateless.
enum FLACPayload {
  static func range(in file: OpenedFile) throws(AudioFileError) -> Range<Int> {
    var place = try ID3Blocks.end(in: file)
    guard try file.bytes(at: place, count: 4).holds("fLaC", at: 0) else {
      throw .damaged(file.path, "The file does not begin with the FLAC signature.")
    }
    place += 4
    let stream = try file.bytes(at: place + 4, count: 18)
    var isLast = false
    while !isLast {
      let header = try file.bytes(at: place, count: 4)
      place += 4 + header.bigEndian(at: 1, count: 3)
      guard header.count == 4, place <= file.size else {
        throw .damaged(file.path, "The file is truncated in the middle of its tags.")
      }
      isLast = header[0] & 0x80 != 0
    }
    let end = try ID3Blocks.startOfTail(in: file, from: place)
    guard place < end else { throw .damaged(file.path, "The file has tags but no audio.") }
    try requireWhole(file, place..<end, stream)
    return place..<end
  }

  /// The minimum number of bytes to search for the last frame, because frames can be larger than the stream states.
  private static let searchedBytes = 1 << 16

  /// Compares the last frame with the number of samples in the stream description, if it is known.
  private static func requireWhole(
    _ file: OpenedFile, _ audio: Range<Int>, _ stream: [UInt8]
  ) throws(AudioFileError) {
    let commonSize = stream.bigEndian(at: 0, count: 2)
    let total = stream.bigEndian(at: 13, count: 5) & 0xF_FFFF_FFFF
    guard total > 0 else { return }
    let searched = max(searchedBytes, 2 * stream.bigEndian(at: 7, count: 3))
    let bytes = try file.bytes(
      at: max(audio.lowerBound, audio.upperBound - searched), count: min(searched, audio.count))
    let ends = bytes.indices.lazy.reversed().filter { bytes[$0] == 0xFF }
      .compactMap { FLACFrame(bytes, at: $0)?.end(commonSize: commonSize) }
    guard ends.contains(where: { $0 >= total }) else {
      throw .damaged(file.path, "The file is truncated before the end of its audio.")
    }
  }
}
