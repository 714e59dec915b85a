/// A kind of audio file that is read, told by its content.
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

  /// What files of the format are usually named: extensions in lower case, without the point.
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

  /// The media type for a player.
  public var mediaType: String {
    switch self {
    case .mp3: "audio/mpeg"
    case .flac: "audio/flac"
    case .ogg, .opus: "audio/ogg"
    case .m4a: "audio/mp4"
    case .wav: "audio/wav"
    }
  }

  /// Extensions of audio files that are not read, so that a scan can list them instead of passing over them.
  private static let otherExtensions: Set<String> = [
    "aac", "aif", "aiff", "aifc", "alac", "ape", "au", "dff", "dsf", "m4p", "mka", "mpc", "ra",
    "shn", "spx", "tta", "wma", "wv",
  ]

  private static let knownExtensions = Set(allCases.flatMap(\.extensions)).union(otherExtensions)

  /// Whether a file's name says that it is an audio file, of any format.
  ///
  /// - Parameter name: A name or a path.
  public static func isNamedAsAudio(_ name: String) -> Bool {
    knownExtensions.contains(extensionOf(name))
  }

  static func extensionOf(_ name: String) -> String {
    guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(name[name.index(after: point)...]).lowercased()
  }

  /// How many bytes `detect` looks at.
  static let detectedBytes = 128

  /// The format that the first bytes of a file show; nil for bytes that begin nothing known.
  ///
  /// MPEG audio has no signature: its frames are looked for by `MPEGPayload`.
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
  /// Whether the bytes of a text stand at a place.
  func holds(_ text: String, at place: Int) -> Bool {
    dropFirst(place).starts(with: text.utf8)
  }

  /// A number of two to eight bytes, the highest first; zero bytes where the array ends.
  func bigEndian(at place: Int, count: Int) -> Int {
    (0..<count).reduce(0) { $0 << 8 | Int(place + $1 < self.count ? self[place + $1] : 0) }
  }

  /// A number of two to eight bytes, the lowest first; zero bytes where the array ends.
  func littleEndian(at place: Int, count: Int) -> Int {
    (0..<count).reversed().reduce(0) {
      $0 << 8 | Int(place + $1 < self.count ? self[place + $1] : 0)
    }
  }

  /// The number of four bytes of seven bits as ID3v2 writes sizes; nil when a byte has the eighth bit.
  func synchsafe(at place: Int) -> Int? {
    guard place + 4 <= count, self[place..<place + 4].allSatisfy({ $0 < 0x80 }) else { return nil }
    return self[place..<place + 4].reduce(0) { $0 << 7 | Int($1) }
  }
}
