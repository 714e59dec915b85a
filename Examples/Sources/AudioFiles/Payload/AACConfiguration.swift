/// The AAC decoder configuration of an MPEG-4 file, which states the number of channels more accurately than TagLib reads it.
///
/// Encoders write two channels into the sample description of mono audio.
///
/// Stateless.
enum AACConfiguration {
  /// Returns the number of channels in the decoder configuration.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - description: The range of the box that describes AAC samples.
  /// - Returns: The number of channels, or nil if the audio is not plain AAC, whose channels are stated in other boxes or the audio itself.
  static func channels(
    _ file: OpenedFile, _ description: Range<Int>
  ) throws(AudioFileError) -> Int? {
    let bytes = try file.bytes(at: description.lowerBound, count: min(description.count, 512))
    guard let box = (0..<max(0, bytes.count - 4)).first(where: { bytes.holds("esds", at: $0) }),
      var place = contents(of: 3, bytes, at: box + 8)
    else { return nil }
    place += 3  // The stream's number and flags.
    guard let decoder = contents(of: 4, bytes, at: place),
      let setUp = contents(of: 5, bytes, at: decoder + 13), setUp + 2 <= bytes.count
    else { return nil }
    let word = bytes.bigEndian(at: setUp, count: 2)
    let (objectType, rate, channels) = (word >> 11, word >> 7 & 15, word >> 3 & 15)
    // Object type 2 is plain AAC; an explicit sample rate would shift the following bits.
    guard objectType == 2, rate < 15, (1...7).contains(channels) else { return nil }
    return channels == 7 ? 8 : channels
  }

  /// Returns the position of a descriptor's contents, after its tag and its size of up to four bytes.
  private static func contents(of tag: UInt8, _ bytes: [UInt8], at place: Int) -> Int? {
    guard place < bytes.count, bytes[place] == tag else { return nil }
    for next in place + 1..<min(place + 5, bytes.count) where bytes[next] < 0x80 { return next + 1 }
    return nil
  }
}
