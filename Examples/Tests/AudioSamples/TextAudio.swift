public import AudioFiles
public import Foundation

/// Simulated music files that are cheap to write: texts of fields, which a reader of this type treats as tags.
///
/// `audio` is the fingerprint, `milliseconds` the length, and `broken` makes the file one that cannot be read.
///
/// Stateless.
public enum TextAudio {
  /// The content of a file.
  public static func content(_ fields: [String: String]) -> Data {
    Data(fields.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "\n").utf8)
  }

  /// Reads a file.
  ///
  /// - Parameter url: The file.
  /// - Throws: `AudioFileError` for a file that is marked as broken or is not text.
  public static func read(_ url: URL) throws(AudioFileError) -> AudioFile {
    let failure = AudioFileError(.damaged, path: url.path, "The file is broken.")
    let stamp = try FileStamp(of: url)
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { throw failure }
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
    if fields["broken"] != nil { throw failure }
    return AudioFile(
      stamp: stamp, format: .mp3, codec: "MP3",
      durationInMilliseconds: Int(fields["milliseconds"] ?? "") ?? 1_000, bitrate: 128,
      sampleRate: 44_100, channels: 2,
      tags: AudioTags(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
      fingerprint: fields["audio"] ?? text)
  }
}
