public import Foundation

/// Small real audio files, created by the usual encoders in a folder that is deleted with the
/// process.
///
/// Stateless; usable on any thread.
public enum AudioSamples {
  /// What a sample is encoded as.
  public enum Kind: String, Sendable, CaseIterable {
    case mp3, flac, ogg, opus, aac, alac, wav

    /// The extension of its files.
    public var fileExtension: String { self == .aac || self == .alac ? "m4a" : rawValue }
    /// How many seconds one frame or packet has at most, at 44,100 samples a second.
    public var secondsOfFrame: Double {
      switch self {
      case .mp3: 1_152 / 44_100
      case .flac, .alac: 4_096 / 44_100
      case .ogg: 2_048 / 44_100
      case .opus: 0.02
      case .aac: 1_024 / 44_100
      case .wav: 0.001
      }
    }
  }

  /// The folder of this process's samples.
  public static let folder: URL = {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("AudioSamples-\(ProcessInfo.processInfo.processIdentifier)")
    // If the folder cannot be created, every sample fails.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: AudioSamples.folder) }
    return folder
  }()

  /// Returns a unique path in the folder.
  public static func newURL(_ fileExtension: String) -> URL {
    folder.appendingPathComponent("\(UUID().uuidString).\(fileExtension)")
  }

  /// Returns a unique subfolder of the folder.
  public static func newFolder() throws -> URL {
    let url = folder.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  /// A picture of one pixel.
  public static let png =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    ) ?? Data()

  /// Makes a file.
  ///
  /// - Parameters:
  ///   - kind: What it is encoded as.
  ///   - fields: Its tags by the names of TagLib; WAV files keep only a few, and MP3 files those of `LameArguments`.
  ///   - picture: A front cover; none in WAV files.
  ///   - seconds: The length of the tone.
  ///   - frequency: The pitch in hertz, so that two samples differ.
  ///   - channels: One or two.
  /// - Returns: The new file.
  /// - Throws: `Tool.Failure`.
  public static func make(
    _ kind: Kind, _ fields: [(name: String, value: String)] = [], picture: Data? = nil,
    seconds: Double = 0.5, frequency: Double = 440, channels: Int = 2
  ) throws -> URL {
    let tone = newURL("wav")
    try Tone(seconds: seconds, frequency: frequency, channels: channels).wav().write(to: tone)
    defer { try? FileManager.default.removeItem(at: tone) }
    let file = newURL(kind.fileExtension)
    let image = try picture.map { data in
      let url = newURL("png")
      try data.write(to: url)
      return url
    }
    switch kind {
    case .flac:
      try Tool.run(
        "flac",
        ["--silent", "-o", file.path] + fields.flatMap { ["-T", "\($0.name)=\($0.value)"] }
          + (image.map { ["--picture", "3||||\($0.path)"] } ?? []) + [tone.path])
    case .ogg:
      try Tool.run(
        "oggenc",
        ["--quiet", "-o", file.path] + fields.flatMap { ["-c", "\($0.name)=\($0.value)"] }
          + (picture.map { ["-c", "METADATA_BLOCK_PICTURE=\(pictureBlock($0))"] } ?? [])
          + [tone.path])
    case .opus:
      try Tool.run(
        "opusenc",
        ["--quiet"] + fields.flatMap { ["--comment", "\($0.name)=\($0.value)"] }
          + (image.map { ["--picture", "3||||\($0.path)"] } ?? []) + [tone.path, file.path])
    case .mp3:
      try Tool.run(
        "lame", LameArguments.make(fields, picture: image) + [tone.path, file.path])
    case .aac, .alac, .wav:
      try Tool.run(
        "ffmpeg", FFmpegArguments.make(kind, fields, tone: tone, picture: image) + [file.path])
    }
    return file
  }

  /// A front cover as FLAC and Vorbis comments have it.
  private static func pictureBlock(_ data: Data) -> String {
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let type = Array("image/png".utf8)
    let bytes: [UInt8] =
      number(3) + number(type.count) + type + number(0) + number(1) + number(1) + number(32)
      + number(0) + number(data.count) + Array(data)
    return Data(bytes).base64EncodedString()
  }
}
