/// The location of the media in an MPEG-4 file.
///
/// Stateless.
enum MP4Payload {
  /// The boxes that TagLib reads as containers, with the number of bytes before their inner boxes.
  private static let containers: [String: Int] = [
    "moov": 0, "udta": 0, "mdia": 0, "meta": 4, "ilst": 0, "stbl": 0, "minf": 0, "moof": 0,
    "traf": 0, "trak": 0, "stsd": 8,
  ]
  /// TagLib reads each level recursively on the stack.
  private static let depthLimit = 24
  private static let boxLimit = 1 << 16

  private struct Box {
    let name: String
    let content: Range<Int>

    /// Reads the header of the box at the start of a range; returns nil if the box does not fit in the range.
    init?(_ file: OpenedFile, in range: Range<Int>) throws(AudioFileError) {
      let header = try file.bytes(at: range.lowerBound, count: min(16, range.count))
      guard header.count >= 8 else { return nil }
      var (size, headerSize) = (header.bigEndian(at: 0, count: 4), 8)
      if size == 1 {
        guard header.count == 16, header[8] == 0 else { return nil }
        (size, headerSize) = (header.bigEndian(at: 8, count: 8), 16)
      }
      if size == 0 { size = range.count }
      guard size >= headerSize, size <= range.count else { return nil }
      name = String(decoding: header[4..<8], as: UTF8.self)
      content = range.lowerBound + headerSize..<range.lowerBound + size
    }
  }

  /// Returns the range of the boxes within a box, or nil if the box contains none.
  private static func innerRange(
    of box: Box, _ file: OpenedFile
  ) throws(AudioFileError) -> Range<Int>? {
    guard var offset = containers[box.name] else { return nil }
    if box.name == "meta" {
      // Some files omit version and flags, which is detected by the name of the first inner box.
      let start = try file.bytes(at: box.content.lowerBound, count: 8)
      let names = ["hdlr", "ilst", "mhdr", "ctry", "lang"]
      if names.contains(where: { start.holds($0, at: 4) }) { offset = 0 }
    }
    guard offset <= box.content.count else { return nil }
    return box.content.lowerBound + offset..<box.content.upperBound
  }

  /// The locations of a file's parts.
  struct Parts {
    /// The contents of the media boxes.
    var media: [Range<Int>] = []
    /// The box that describes AAC samples.
    var aac: Range<Int>?
  }

  static func parts(of file: OpenedFile) throws(AudioFileError) -> Parts {
    var parts = Parts()
    var hasMovie = false
    var count = 0
    var levels = [0..<file.size]
    while let rest = levels.popLast() {
      // A few bytes after the boxes are padding.
      if rest.count < 8 { continue }
      guard let box = try Box(file, in: rest) else {
        throw .damaged(
          file.path,
          levels.isEmpty
            ? "The file is truncated before the end of its audio."
            : "A box in the file extends beyond the box that contains it.")
      }
      count += 1
      levels.append(box.content.upperBound..<rest.upperBound)
      if levels.count == 1, box.name == "mdat" { parts.media.append(box.content) }
      if box.name == "mp4a", parts.aac == nil { parts.aac = box.content }
      if levels.count == 1, box.name == "moov" { hasMovie = true }
      if let inner = try innerRange(of: box, file) { levels.append(inner) }
      guard levels.count <= depthLimit, count <= boxLimit else {
        throw .damaged(
          file.path, "The file contains too many boxes, or the boxes are nested too deeply.")
      }
    }
    guard hasMovie, !parts.media.isEmpty else {
      throw .damaged(file.path, "The file contains no audio, or no description of its audio.")
    }
    return parts
  }
}
