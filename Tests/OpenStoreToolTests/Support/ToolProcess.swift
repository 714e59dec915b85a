import Foundation

/// Runs the tool in a separate process, started by a shell that redirects its output.
struct ToolProcess {
  let status: Int32
  let output: String
  let errors: String
  /// Whether a signal ended the shell.
  let isKilled: Bool

  /// Runs a line of shell, in which `"$TOOL"` is the tool and `$1` the store.
  init(_ line: String, store: URL) throws {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line, "sh", store.path]
    var environment = ProcessInfo.processInfo.environment
    environment["TOOL"] = Self.program.path
    process.environment = environment
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    self.output = Self.text(of: output)
    self.errors = Self.text(of: errors)
    process.waitUntilExit()
    status = process.terminationStatus
    isKilled = process.terminationReason == .uncaughtSignal
  }

  private static func text(of pipe: Pipe) -> String {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// The tool, which is built into the folder of the tests.
  private static var program: URL {
    #if os(Linux)
      let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let own =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
    let folders =
      [own] + CommandLine.arguments.filter { $0.contains("/") }.map { URL(fileURLWithPath: $0) }
    let candidates = folders.map {
      $0.deletingLastPathComponent().appendingPathComponent("coredata")
    }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? candidates[0]
  }
}
