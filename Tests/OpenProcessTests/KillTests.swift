import Foundation
import OpenCoreData
import ProcessModel
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Processes that are killed while they save", .serialized)
struct KillTests {
  /// Number of kills; the long run sets it.
  private static var kills: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_KILLS"].flatMap(Int.init) ?? 20
  }

  /// The number of killed processes per store; the whole store is checked each time.
  private static let killsOfOneStore = 40

  /// A process that saves without end, and the last save that it acknowledged.
  private final class Saver {
    let process: ChildProcess
    private(set) var last: Int

    /// - Parameter last: The last save of the processes before.
    init(_ store: SharedStore, _ number: Int, last: Int) throws {
      process = try ChildProcess()
      self.last = last
      try process.send("open \(store.url.path)")
      try process.send("stream \(number)")
    }

    /// Reads acknowledgements: so many, or all that there are.
    func read(_ count: Int) throws {
      for _ in 0..<count {
        guard let line = try process.line() else { return }
        if line == "open" { continue }
        guard let value = Int(line) else { throw ChildProcess.Failure(description: line) }
        last = value
      }
    }
  }

  @Test("no acknowledged save is lost, no save is stored partially, and the store stays intact")
  func kills() throws {
    let seed = UInt64.random(in: 1...1_000_000)
    print("Seed: \(seed)")
    var numbers = SeededRandom(seed: seed)
    var (killed, saved) = (0, 0)
    while killed < Self.kills {
      let count = min(Self.killsOfOneStore, Self.kills - killed)
      saved += try kill(count, using: &numbers)
      killed += count
    }
    print("Killed \(killed) times; \(saved) saves")
    #expect(saved > 0)
  }

  /// Kills processes that save into one store.
  ///
  /// - Returns: How many saves the store has in the end.
  private func kill(_ count: Int, using numbers: inout SeededRandom) throws -> Int {
    let store = try SharedStore()
    var reached = [0: 0, 1: 0]
    for _ in 0..<((count + 1) / 2) {
      let savers = try [0, 1].map { try Saver(store, $0, last: reached[$0] ?? 0) }
      for saver in savers {
        let lines = Int.random(in: 0...12, using: &numbers)
        try saver.read(lines)
        // No wait: the moment of the kill is random, and may be during opening if there is no answer.
        usleep(useconds_t.random(in: 0...(lines == 0 ? 100_000 : 4000), using: &numbers))
        saver.process.kill()
        try saver.read(.max)
      }
      reached = try check(store, savers.map(\.last))
    }
    let names = try store.names
    #expect(names == ["shared.sqlite"])
    return reached.values.reduce(0, +)
  }

  /// Requires that the store contains all acknowledged saves, and no partial save.
  ///
  /// - Returns: The values of the counters.
  private func check(_ store: SharedStore, _ acknowledged: [Int]) throws -> [Int: Int] {
    #expect(try store.findings() == [])
    return try store.opened { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      return try context.performAndWait {
        var values = [0: 0, 1: 0]
        for counter in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Counter")) {
          let number = try #require(counter.value(forKey: "number") as? Int)
          let value = try #require(counter.value(forKey: "value") as? Int)
          values[number] = value
          let entries = try #require(counter.value(forKey: "entries") as? Set<NSManagedObject>)
          let batches = entries.compactMap { $0.value(forKey: "batch") as? Int }.sorted()
          #expect(batches == (0..<(value * 3)).map { $0 / 3 + 1 })
        }
        for (number, last) in acknowledged.enumerated() {
          // The store may contain the last save although it was not acknowledged.
          let value = try #require(values[number])
          #expect(value == last || value == last + 1)
        }
        return values
      }
    }
  }
}
