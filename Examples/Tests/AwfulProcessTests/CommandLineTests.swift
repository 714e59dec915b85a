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

  @Test("an output replaces a file, but not a file of a database, or a link to one")
  func databases() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("CommandLineTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A folder that cannot be deleted does not matter.
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
    let database = Data("SQLite format 3\0 and more".utf8)
    try database.write(to: file("a.store"))
    try Data([0x37, 0x7F, 0x06, 0x82, 0]).write(to: file("a.store-wal"))
    try Data([0x18, 0xE2, 0x2D, 0x00, 0]).write(to: file("a.store-shm"))
    try Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]).write(to: file("a.store-journal"))
    try FileManager.default.createSymbolicLink(
      at: file("link"), withDestinationURL: file("a.store"))
    for name in ["a.store", "a.store-wal", "a.store-shm", "a.store-journal", "link"] {
      let error = #expect(throws: CommandFailure.self) {
        try Output.write(Data("new".utf8), to: file(name).path)
      }
      #expect(error?.description.contains("Choose another file") == true)
    }
    #expect(try Data(contentsOf: file("link")) == database)
    for text in ["new", "newer"] {
      try Output.write(Data(text.utf8), to: file("a.json").path)
      #expect(try Data(contentsOf: file("a.json")) == Data(text.utf8))
    }
  }
}
