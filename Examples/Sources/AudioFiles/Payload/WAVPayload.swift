/// The location of the samples in a RIFF file.
///
/// Stateless.
enum WAVPayload {
  /// The size written by programs that do not yet know the actual size.
  private static let unknownSize = 0xFFFF_FFFF

  static func range(in file: OpenedFile) throws(AudioFileError) -> Range<Int> {
    var samples: Range<Int>?
    var place = 12
    while place + 8 <= file.size {
      let header = try file.bytes(at: place, count: 8)
      let size = header.littleEndian(at: 4, count: 4)
      let start = place + 8
      let isData = header.holds("data", at: 0)
      if isData, size == unknownSize { return start..<file.size }
      guard start + size <= file.size else {
        // The data after the samples is not needed.
        if samples != nil, !isData { break }
        throw .damaged(file.path, "The file is truncated before the end of its audio.")
      }
      if isData, samples == nil { samples = start..<start + size }
      if header.holds("id3 ", at: 0) || header.holds("ID3 ", at: 0) {
        try ID3Blocks.requireReadable(file, start..<start + size)
      }
      place = start + size + size % 2
    }
    guard let samples else { throw .damaged(file.path, "The file has no audio.") }
    return samples
  }
}
