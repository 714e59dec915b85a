import Foundation
import Testing

/// Arguments of the service that are refused.
@Suite("Arguments of the music service")
struct ArgumentTests {
  @Test(
    "a time that the service cannot wait is refused",
    arguments: ["nan", "inf", "1e300", "-1", "86401"])
  func grace(_ seconds: String) throws {
    let process = Process()
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("music-service")
    process.arguments = ["--store", "none.sqlite", "--grace=\(seconds)"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
  }
}
