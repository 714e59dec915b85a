import Foundation
import Testing

/// Arguments of the service that are refused.
@Suite("Arguments of the music service")
struct ArgumentTests {
  @Test(
    "a time that the service cannot wait is refused", .timeLimit(.minutes(30)),
    arguments: ["nan", "inf", "1e300", "-1", "86401"])
  func grace(_ seconds: String) async throws {
    let process = Process()
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("music-service")
    process.arguments = ["--store", "none.sqlite", "--grace=\(seconds)"]
    process.standardError = FileHandle.nullDevice
    let (statuses, continuation) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { ended in
      continuation.yield(ended.terminationStatus)
      continuation.finish()
    }
    try process.run()
    let id = process.processIdentifier
    // A service that accepts the time runs until the time limit cancels the test.
    let status = await withTaskCancellationHandler {
      await statuses.first { _ in true }
    } onCancel: {
      _ = Foundation.kill(id, SIGKILL)
    }
    #expect(status == 64)
  }
}
