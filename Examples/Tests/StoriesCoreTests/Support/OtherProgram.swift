import Foundation

/// Other programs that work on the same library.
enum OtherProgram {
  static func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("stories-worker")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  static func run(_ arguments: [String]) throws -> Int32 {
    let process = try start(arguments)
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// A program that holds the write lock of a store until the test releases it.
final class LockHolder: @unchecked Sendable {
  // Invariant of the unchecked conformance: the process and its pipes are used by one thread at a time.
  private let process = Process()
  private let input = Pipe()

  static let tool = "/usr/bin/sqlite3"
  static var hasTool: Bool { FileManager.default.isExecutableFile(atPath: tool) }

  init(_ file: URL) throws {
    process.executableURL = URL(fileURLWithPath: Self.tool)
    process.arguments = [file.path]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("BEGIN IMMEDIATE; SELECT 1;\n".utf8))
    // The answer arrives after the lock is acquired.
    _ = output.fileHandleForReading.availableData
  }

  func letGo() {
    // The tool exits at the end of its input, which releases the lock.
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
