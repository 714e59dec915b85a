/// Where the frames of a FLAC file lie.
///
/// Stateless.
enum FLACPayload {
  static func range(in file: OpenedFile) throws(AudioFileError) -> Range<Int> {
    var place = try ID3Blocks.end(in: file)
    guard try file.bytes(at: place, count: 4).holds("fLaC", at: 0) else {
      throw .damaged(file.path, "The file does not begin as FLAC does.")
    }
    place += 4
    var isLast = false
    while !isLast {
      let header = try file.bytes(at: place, count: 4)
      place += 4 + header.bigEndian(at: 1, count: 3)
      guard header.count == 4, place <= file.size else {
        throw .damaged(file.path, "The file ends within its tags.")
      }
      isLast = header[0] & 0x80 != 0
    }
    let end = try ID3Blocks.startOfTail(in: file, from: place)
    guard place < end else { throw .damaged(file.path, "The file has tags but no audio.") }
    return place..<end
  }
}
