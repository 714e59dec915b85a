import Foundation

/// The program that scans made-up music.
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
    let process = Process()
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("ScanProcess")
    process.arguments = [store.path, music.path] + options
    process.standardOutput = output ?? FileHandle.nullDevice
    try process.run()
    return process
  }
}
