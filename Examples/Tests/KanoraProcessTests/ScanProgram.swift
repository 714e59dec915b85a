import Foundation

/// Programs in the folder of the tests.
enum TestProgram {
  /// Begins a program.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - arguments: Its arguments.
  ///   - output: Where it prints; nil for nowhere.
  ///   - complaints: Where it prints errors; nil for nowhere.
  static func begin(
    _ name: String, _ arguments: [String], output: Any? = nil, complaints: Any? = nil
  ) throws -> Process {
    let process = Process()
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent(name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = complaints ?? FileHandle.nullDevice
    try process.run()
    return process
  }

  /// The result of an ended program.
  struct Outcome {
    let status: Int32
    let output: String
    let complaints: String
  }

  /// Runs a program to its end.
  static func run(_ name: String, _ arguments: [String]) throws -> Outcome {
    let (output, complaints) = (Pipe(), Pipe())
    let process = try begin(name, arguments, output: output, complaints: complaints)
    // Error messages are a few lines, which fit into a pipe's buffer.
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let complained = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
      complaints: String(decoding: complained, as: UTF8.self))
  }

  /// Kills a program after a while.
  ///
  /// - Returns: Whether it was still running.
  static func kill(_ process: Process, after delay: Duration) async throws -> Bool {
    try await Task.sleep(for: delay)
    let isRunning = process.isRunning
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return isRunning
  }
}

/// The program that scans simulated music.
enum ScanProgram {
  /// Begins a scan.
  ///
  /// - Parameters:
  ///   - music: The folder.
  ///   - store: The store's file.
  ///   - options: Further arguments.
  ///   - output: Where the program prints; nil for nowhere.
  static func begin(
    _ music: URL, into store: URL, _ options: [String] = [], output: Pipe? = nil
  ) throws -> Process {
    try TestProgram.begin("ScanProcess", [store.path, music.path] + options, output: output)
  }
}
