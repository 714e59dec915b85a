import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Another process that executes commands on a store, one per line; ended at the latest with this object.
final class ChildProcess {
  /// What went wrong with the process itself.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()
  private var buffer: [UInt8] = []
  /// The timeout for an answer, in milliseconds.
  var patience: Int32 = 120_000

  init(_ arguments: [String] = []) throws {
    process.executableURL = Self.program(named: "opencoredata-process")
    process.arguments = arguments
    process.standardInput = commands
    process.standardOutput = answers
    try process.run()
  }

  deinit { kill() }

  var processID: Int32 { process.processIdentifier }

  /// A helper program, which is built into the folder of the tests.
  static func program(named name: String) -> URL {
    #if os(Linux)
      let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let own =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
    let folder = own.deletingLastPathComponent()
    let candidates =
      [folder.appendingPathComponent(name)]
      + loadedFolders.map {
        $0.appendingPathComponent(name)
      }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? candidates[0]
  }

  /// Folders of the arguments, where a runner of tests loads them from.
  private static var loadedFolders: [URL] {
    CommandLine.arguments.filter { $0.contains("/") }
      .map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
  }

  /// Sends a command without waiting for its answer.
  func send(_ command: String) throws {
    try commands.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
  }

  /// Sends a command and waits for its answer.
  func ask(_ command: String) throws -> String {
    try send(command)
    return try answer()
  }

  /// The next line; an error when the process ended, or is silent for two minutes.
  func answer() throws -> String {
    guard let line = try line() else { throw Failure(description: "The process ended.") }
    return line
  }

  /// The next line; nil when the process ended.
  func line() throws -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard try readMore() else { return nil }
    }
  }

  private func readMore() throws -> Bool {
    let descriptor = answers.fileHandleForReading.fileDescriptor
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, patience) > 0 else {
      throw Failure(description: "The process does not answer.")
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return false }
    buffer += bytes[..<count]
    return true
  }

  /// Kills the process and waits for its end.
  func kill() {
    if process.isRunning { _ = Self.sendKill(process.processIdentifier) }
    process.waitUntilExit()
  }

  private static func sendKill(_ process: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.kill(process, SIGKILL)
    #elseif canImport(Musl)
      Musl.kill(process, SIGKILL)
    #else
      Darwin.kill(process, SIGKILL)
    #endif
  }
}
