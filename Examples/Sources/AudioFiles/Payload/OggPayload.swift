/// The contents of an Ogg file's pages after the header packets.
///
/// Stateless.
enum OggPayload {
  /// A page's header.
  private struct Page {
    let serial: Int
    /// The sizes of the segments; a packet ends with a segment of fewer than 255 bytes.
    let segments: ArraySlice<UInt8>
    let bodyStart: Int
    /// The number of samples up to the end of the page, or nil if no packet ends in the page.
    let position: Int?
    var bodySize: Int { segments.reduce(0) { $0 + Int($1) } }

    /// Reads the header at a position; returns nil if the bytes are not a header.
    init?(_ file: OpenedFile, at place: Int) throws(AudioFileError) {
      let bytes = try file.bytes(at: place, count: 27 + 255)
      guard bytes.starts(with: "OggS".utf8), bytes.count >= 27 else { return nil }
      let count = Int(bytes[26])
      guard bytes.count >= 27 + count else { return nil }
      serial = bytes.littleEndian(at: 14, count: 4)
      segments = bytes[27..<27 + count]
      bodyStart = place + 27 + count
      // A value that would be negative, or longer than any music, is not a position.
      let number = bytes.littleEndian(at: 6, count: 8)
      position = (0...1 << 48).contains(number) ? number : nil
    }

    /// Returns the size of the body up to the end of the given packet, and the number of packets that end in the page up to there.
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

  /// The location and length of a file's audio.
  struct Parts {
    var ranges: [Range<Int>] = []
    /// The number of samples per channel, including those that a player skips at the beginning.
    var samples = 0
  }

  /// Returns the number of samples that an Opus player skips at the beginning.
  static func skippedSamples(in file: OpenedFile) throws(AudioFileError) -> Int {
    guard let page = try Page(file, at: 0) else { return 0 }
    return try file.bytes(at: page.bodyStart + 10, count: 2).littleEndian(at: 0, count: 2)
  }

  /// Returns the audio of a file. Pages of a stream that starts after the first one are included in full.
  ///
  /// - Parameters:
  ///   - file: An Ogg file.
  ///   - headerPackets: The number of packets before the audio.
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
        throw .damaged(file.path, "The file is truncated before the end of its audio.")
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
    guard missing == 0 else {
      throw .damaged(file.path, "The file is truncated in the middle of its tags.")
    }
    // Programs that write the tags of MPEG files also append them to Ogg files.
    if try ID3Blocks.startOfTail(in: file, from: place) > place {
      throw .damaged(
        file.path,
        "The file is truncated in the middle of a page, or contains data other than Ogg pages.")
    }
    return parts
  }
}
