import CommandParts
import Foundation
import Testing

/// What all example programs have in common.
@Suite("Command lines of the examples")
struct CommandLineTests {
  private struct Run {
    let status: Int32
    let output: String
    let errors: String

    init(_ program: String, _ arguments: String...) throws {
      let process = Process()
      let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.executableURL = own.deletingLastPathComponent().appendingPathComponent(program)
      process.arguments = arguments
      let (output, errors) = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (output, errors)
      try process.run()
      // Both are short enough for the buffer of a pipe.
      self.output = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      self.errors = String(
        decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      status = process.terminationStatus
    }
  }

  @Test(
    "help and version are printed to standard output, with status 0",
    arguments: ["awful", "kanora", "stories", "forum-sim"])
  func helpAndVersion(_ program: String) throws {
    let help = try Run(program, "--help")
    #expect(help.status == 0)
    #expect(help.output.contains("USAGE: \(program)"))
    #expect(help.errors.isEmpty)
    let version = try Run(program, "--version")
    #expect(version.status == 0)
    #expect(version.output == ExampleVersion.text + "\n")
    #expect(version.errors.isEmpty)
  }

  @Test(
    "an unknown option is reported to standard error, with status 64",
    arguments: ["awful", "kanora", "stories", "forum-sim"])
  func unknownOption(_ program: String) throws {
    let run = try Run(program, "--unknown-option")
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("--unknown-option"))
  }
}
