public import Foundation

/// The properties of a file that ffprobe reports.
///
/// A value.
public struct Probe: Sendable {
  /// The length in seconds.
  public let duration: Double
  /// Samples a second.
  public let sampleRate: Int
  /// The number of channels.
  public let channels: Int
  /// The codec's name.
  public let codec: String
  /// The tags of the file and of its audio stream, by names in lower case.
  public let tags: [String: String]

  private struct Answer: Decodable {
    struct Stream: Decodable {
      let codec_type: String
      let codec_name: String?
      let sample_rate: String?
      let channels: Int?
      let duration: String?
      let tags: [String: String]?
    }
    struct Format: Decodable {
      let duration: String?
      let tags: [String: String]?
    }
    let streams: [Stream]
    let format: Format
  }

  /// Asks about a file.
  ///
  /// - Parameter url: The file.
  /// - Throws: `Tool.Failure`, or an error of decoding.
  public init(_ url: URL) throws {
    let json = try Tool.run(
      "ffprobe", ["-v", "error", "-of", "json", "-show_format", "-show_streams", url.path])
    let answer = try JSONDecoder().decode(Answer.self, from: json)
    guard let stream = answer.streams.first(where: { $0.codec_type == "audio" }) else {
      throw Tool.Failure(description: "\(url.path) has no audio.")
    }
    duration = Double(stream.duration ?? answer.format.duration ?? "") ?? -1
    sampleRate = Int(stream.sample_rate ?? "") ?? 0
    channels = stream.channels ?? 0
    codec = stream.codec_name ?? ""
    let all = (stream.tags ?? [:]).merging(answer.format.tags ?? [:]) { $1 }
    tags = Dictionary(all.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
  }
}
