/// A supported audio file format, detected from the content.
public enum AudioFormat: String, Sendable, CaseIterable {
  /// MPEG audio, layers 1 to 3, with ID3 or APE tags.
  case mp3
  /// FLAC with its own metadata blocks.
  case flac
  /// Vorbis in Ogg.
  case ogg
  /// Opus in Ogg.
  case opus
  /// AAC or Apple Lossless in an MPEG-4 file.
  case m4a
  /// Samples in a RIFF file.
  case wav

  /// The usual file extensions of the format, in lowercase, without the dot.
  public var extensions: [String] {
    switch self {
    case .mp3: ["mp3", "mp2", "mpga"]
    case .flac: ["flac", "fla"]
    case .ogg: ["ogg", "oga"]
    case .opus: ["opus"]
    case .m4a: ["m4a", "m4b", "mp4", "m4r"]
    case .wav: ["wav", "wave"]
    }
  }

  /// The media type for players.
  public var mediaType: String {
    switch self {
    case .mp3: "audio/mpeg"
    case .flac: "audio/flac"
    case .ogg, .opus: "audio/ogg"
    case .m4a: "audio/mp4"
    case .wav: "audio/wav"
    }
  }

  /// Extensions of unsupported audio files, so that a scan lists these files instead of skipping them.
  private static let otherExtensions: Set<String> = [
    "aac", "aif", "aiff", "aifc", "alac", "ape", "au", "dff", "dsf", "m4p", "mka", "mpc", "ra",
    "shn", "spx", "tta", "wma", "wv",
  ]

  private static let knownExtensions = Set(allCases.flatMap(\.extensions)).union(otherExtensions)

  /// Returns whether a file's name has the extension of any audio format.
  ///
  /// - Parameter name: A name or a path.
  public static func isNamedAsAudio(_ name: String) -> Bool {
    knownExtensions.contains(extensionOf(name))
  }

  static func extensionOf(_ name: String) -> String {
    guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(name[name.index(after: point)...]).lowercased()
  }

  /// The number of bytes that `detect` examines.
  static let detectedBytes = 128

  /// Returns the format indicated by the first bytes of a file, or nil if they match no format.
  ///
  /// MPEG audio has no signature; `MPEGPayload` searches for its frames.
  static func detect(_ bytes: [UInt8]) -> AudioFormat? {
    if bytes.starts(with: "fLaC".utf8) { return .flac }
    if bytes.holds("RIFF", at: 0), bytes.holds("WAVE", at: 8) { return .wav }
    if bytes.holds("ftyp", at: 4) { return .m4a }
    guard bytes.starts(with: "OggS".utf8), bytes.count > 27 else { return nil }
    let packet = 27 + Int(bytes[26])
    if bytes.holds("\u{1}vorbis", at: packet) { return .ogg }
    return bytes.holds("OpusHead", at: packet) ? .opus : nil
  }
}

extension [UInt8] {
  /// Returns whether the array contains the bytes of a text at a position.
  func holds(_ text: String, at place: Int) -> Bool {
    dropFirst(place).starts(with: text.utf8)
  }

  /// Returns the big-endian number of one to eight bytes at a position; bytes past the end of the array are zero.
  func bigEndian(at place: Int, count: Int) -> Int {
    (0..<count).reduce(0) { $0 << 8 | Int(place + $1 < self.count ? self[place + $1] : 0) }
  }

  /// Returns the little-endian number of two to eight bytes at a position; bytes past the end of the array are zero.
  func littleEndian(at place: Int, count: Int) -> Int {
    (0..<count).reversed().reduce(0) {
      $0 << 8 | Int(place + $1 < self.count ? self[place + $1] : 0)
    }
  }

  /// Returns the synchsafe number, four bytes of seven bits, that ID3v2 uses for sizes; nil if a byte has its highest bit set.
  func synchsafe(at place: Int) -> Int? {
    guard place + 4 <= count, self[place..<place + 4].allSatisfy({ $0 < 0x80 }) else { return nil }
    return self[place..<place + 4].reduce(0) { $0 << 7 | Int($1) }
  }
}
