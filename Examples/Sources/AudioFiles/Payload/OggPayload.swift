/// What the pages of an Ogg file hold behind the header packets.
///
/// Stateless.
enum OggPayload {
  /// A page's header.
  private struct Page {
    let serial: Int
    /// The sizes of the segments; a packet ends with a segment of fewer than 255 bytes.
    let segments: ArraySlice<UInt8>
    let bodyStart: Int
    /// The number of samples up to the end of the page; nil where no packet ends.
    let position: Int?
    var bodySize: Int { segments.reduce(0) { $0 + Int($1) } }

    /// Reads the header at a place; nil for bytes that are none.
    init?(_ file: OpenedFile, at place: Int) throws(AudioFileError) {
      let bytes = try file.bytes(at: place, count: 27 + 255)
      guard bytes.starts(with: "OggS".utf8), bytes.count >= 27 else { return nil }
      let count = Int(bytes[26])
      guard bytes.count >= 27 + count else { return nil }
      serial = bytes.littleEndian(at: 14, count: 4)
      segments = bytes[27..<27 + count]
      bodyStart = place + 27 + count
      // What would be negative, or longer than any music, is no position.
      let number = bytes.littleEndian(at: 6, count: 8)
      position = (0...1 << 48).contains(number) ? number : nil
    }

    /// The size of the body up to the end of the packet with a number, and how many packets end in the page before.
    func size(throughPacket number: Int) -> (size: Int?, ended: Int) {
      var (size, ended) = (0, 0)
      for segment in segments {
        size += Int(segment)
        if segment < 255 { ended += 1 }
        if ended == number { return (size, ended) }
      }
      return (nil, ended)
    }
  }

  /// Where the audio of a file lies, and how much it is.
  struct Parts {
    var ranges: [Range<Int>] = []
    /// The number of samples of each channel, with those that a player leaves out at the beginning.
    var samples = 0
  }

  /// How many samples a player of Opus leaves out at the beginning.
  static func skippedSamples(in file: OpenedFile) throws(AudioFileError) -> Int {
    guard let page = try Page(file, at: 0) else { return 0 }
    return try file.bytes(at: page.bodyStart + 10, count: 2).littleEndian(at: 0, count: 2)
  }

  /// The audio of a file; pages of a stream that begins behind the first one count whole.
  ///
  /// - Parameters:
  ///   - file: An Ogg file.
  ///   - headerPackets: How many packets stand in front of the audio.
  static func parts(
    of file: OpenedFile, headerPackets: Int
  ) throws(AudioFileError) -> Parts {
    var parts = Parts()
    var place = 0
    var missing = headerPackets
    var serial: Int?
    while place < file.size, let page = try Page(file, at: place) {
      let end = page.bodyStart + page.bodySize
      guard end <= file.size else {
        throw .damaged(file.path, "The file ends before its audio does.")
      }
      var start = page.bodyStart
      if serial == nil { serial = page.serial }
      if page.serial == serial, missing > 0 {
        let headers = page.size(throughPacket: missing)
        missing -= headers.ended
        start = headers.size.map { page.bodyStart + $0 } ?? end
      }
      parts.ranges.append(start..<end)
      if page.serial == serial, let position = page.position { parts.samples = position }
      place = end
    }
    guard missing == 0 else { throw .damaged(file.path, "The file ends within its tags.") }
    // Programs that write the tags of MPEG files put them behind Ogg files as well.
    if try ID3Blocks.startOfTail(in: file, from: place) > place {
      throw .damaged(file.path, "The file ends within a page, or holds something else than pages.")
    }
    return parts
  }
}
