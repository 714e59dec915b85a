public import Foundation

/// An installed command that creates or describes audio files.
///
/// Stateless.
public enum Tool {
  /// A command that failed.
  public struct Failure: Error, CustomStringConvertible {
    /// The command and its standard error output.
    public let description: String
  }

  /// Whether all commands that samples need are installed.
  public static var areInstalled: Bool {
    ["flac", "metaflac", "lame", "oggenc", "vorbiscomment", "opusenc", "ffmpeg", "ffprobe"]
      .allSatisfy { path(of: $0) != nil }
  }

  private static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - name: The command.
  ///   - arguments: Its arguments.
  /// - Returns: What it wrote to its output stream.
  /// - Throws: `Failure`.
  @discardableResult
  public static func run(_ name: String, _ arguments: [String]) throws -> Data {
    guard let path = path(of: name) else { throw Failure(description: "There is no \(name).") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    // The encoders take their arguments for text in the locale's encoding.
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
    let (output, errors) = (Pipe(), AudioSamples.newURL("log"))
    try Data().write(to: errors)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let complaint = try String(decoding: Data(contentsOf: errors), as: UTF8.self)
    try FileManager.default.removeItem(at: errors)
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(name) \(arguments): \(complaint.suffix(2_000))")
    }
    return data
  }
}
