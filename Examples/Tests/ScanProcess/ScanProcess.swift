import AudioSamples
import Foundation
import KanoraCore

/// Scans a folder of made-up music: a program for tests to kill.
///
///     ScanProcess STORE FOLDER
@main
enum ScanProcess {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { exit(64) }
    let store = try KanoraStore.openOrMake(URL(fileURLWithPath: arguments[1]))
    let scanner = LibraryScanner(store, read: TextAudio.read)
    let library = try await scanner.library(at: URL(fileURLWithPath: arguments[2]))
    _ = try await scanner.scan(library)
  }
}
