import Foundation
import Testing

/// The threads of a separate process take queues and locks in opposite orders; this process checks their progress.
@Suite("Queues and locks never deadlock", .serialized)
struct LockOrderTests {
  private static let pairs = [
    "parent-and-child", "main-and-child", "main-and-merging-child", "main-and-private",
    "grandchild", "private-and-private", "lent-and-used", "saving-parent", "merge-and-save",
    "results-and-save", "coordinator-and-store",
  ]

  /// How often each pair meets.
  private static var turns: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_LOCK_TURNS"].flatMap(Int.init) ?? 100
  }

  /// Waits for the answers of processes that run a pair; reports the state of a hanging process and ends it.
  private func watch(_ pair: String, _ processes: [ChildProcess]) throws {
    for process in processes {
      process.patience = 60_000
      do {
        #expect(try process.answer() == "done \(pair)")
      } catch {
        process.patience = 5_000
        let places = (try? process.ask("where")) ?? "nowhere to be found"
        Issue.record("The pair \(pair) hangs at \(places). \(threads(of: process.processID))")
        process.kill()
      }
    }
  }

  /// The system calls in which its threads wait.
  private func threads(of process: Int32) -> String {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.sorted().map { thread in
      let place = try? String(contentsOfFile: "\(folder)/\(thread)/wchan", encoding: .utf8)
      return "\(thread): \(place ?? "?")"
    }.joined(separator: ", ")
  }

  @Test(
    "threads that wait for each other's queues do not deadlock", arguments: pairs,
    ["loop", "dispatch"])
  func pair(_ pair: String, _ way: String) throws {
    let store = try SharedStore()
    let process = try ChildProcess(["lock-order", way])
    try process.send("pair \(pair) \(store.url.path) \(Self.turns)")
    try watch(pair, [process])
  }

  @Test("two processes whose main threads wait for children of theirs continue with one store")
  func processes() throws {
    let store = try SharedStore()
    try store.insert("Entry", "amount", [0])
    let processes = try ["loop", "dispatch"].map { try ChildProcess(["lock-order", $0]) }
    for process in processes { try process.send("pair processes \(store.url.path) \(Self.turns)") }
    try watch("processes", processes)
    #expect(try store.findings() == [])
  }
}
