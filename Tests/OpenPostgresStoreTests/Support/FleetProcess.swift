import Foundation
import Glibc

/// A run of the program of the fleet.
final class FleetProcess: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors: Pipe?

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - url: The URL of the store.
  ///   - arguments: The further arguments.
  ///   - errors: A pipe for the standard error output; nil for that of this process.
  init(_ url: URL, _ arguments: [String], errors: Pipe? = nil) throws {
    self.errors = errors
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("opencoredata-fleet")
    process.arguments = [url.absoluteString] + arguments
    process.standardInput = input
    process.standardOutput = output
    if let errors { process.standardError = errors }
    try process.run()
  }

  // A test that fails must not leave a program that tries to reach its server forever.
  deinit { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }

  /// Whether the program has not ended.
  var isRunning: Bool { process.isRunning }

  /// Writes a line to the standard input of the program.
  func send(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Kills the program, and returns when it has ended.
  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The number that the program prints, and its standard error output if a pipe was given.
  func results() async throws -> (number: Int, errors: String) {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in
        // The output is only a number, so that the program never waits for its reader.
        let errorData = errors?.fileHandleForReading.readDataToEndOfFile() ?? Data()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(
          in: .whitespacesAndNewlines)
        let errorText = String(decoding: errorData, as: UTF8.self)
        if process.terminationStatus == 0, let number = Int(text) {
          continuation.resume(returning: (number, errorText))
        } else {
          let status = process.terminationStatus
          continuation.resume(
            throwing: Failure(description: "ended with \(status): \(text) \(errorText)"))
        }
      }
    }
  }

  /// The number that the program prints.
  func result() async throws -> Int { try await results().number }
}
