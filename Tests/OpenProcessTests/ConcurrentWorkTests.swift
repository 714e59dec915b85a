import Foundation
import OpenCoreData
import ProcessModel
import Synchronization
import Testing

@Suite("Several processes work on one store", .serialized)
struct ConcurrentWorkTests {
  /// Seconds of the long run; nil for the short one, which counts operations.
  private static var seconds: Double? {
    ProcessInfo.processInfo.environment["OPENCOREDATA_PROCESS_SECONDS"].flatMap(Double.init)
  }

  /// How many processes work at a time.
  private static var processes: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_PROCESSES"].flatMap(Int.init) ?? 2
  }

  /// What one process did, added up; its slowest operation took `slowest` milliseconds.
  private struct Totals {
    var counts: [String: Int] = [:]

    mutating func add(_ answer: String) throws {
      let words = answer.split(separator: " ")
      guard words.first == "done" else { throw ChildProcess.Failure(description: answer) }
      for word in words.dropFirst() {
        let parts = word.split(separator: "=")
        guard parts.count == 2, let number = Int(parts[1]) else { continue }
        let key = String(parts[0])
        counts[key] = key == "slowest" ? max(self[key], number) : self[key] + number
      }
    }

    subscript(_ key: String) -> Int { counts[key] ?? 0 }
  }

  private func prepare() throws -> SharedStore {
    let store = try SharedStore()
    try store.insert("Account", "balance", [1000, 1000, 1000, 1000])
    try store.insert("Counter", "value", [0])
    try store.insert("Tally", "value", [0, 0, 0])
    return store
  }

  @Test("concurrent increments, transfers, inserts, deletes and batch updates conserve all sums")
  func conservation() throws {
    let store = try prepare()
    let processes = try (0..<Self.processes).map { _ in try store.startProcess() }
    let start = ContinuousClock.now
    var totals = processes.map { _ in Totals() }
    var round = 0
    repeat {
      round += 1
      for (index, process) in processes.enumerated() {
        let seed = round * processes.count + index
        if Self.seconds == nil { print("Seed of process \(index): \(seed)") }
        try process.send("work \(seed) 60")
      }
      for (index, process) in processes.enumerated() { try totals[index].add(process.answer()) }
    } while ContinuousClock.now - start < .seconds(Self.seconds ?? 0)
    let saves = totals.map { $0["saves"] }.reduce(0, +)
    #expect(saves > 0)
    for (index, process) in processes.enumerated() {
      let others = saves - totals[index]["saves"]
      #expect(try process.ask("await \(others)") == "saw \(others)")
    }
    for count in totals { print("Process: \(count.counts.sorted { $0.key < $1.key })") }
    for process in processes { #expect(try process.ask("close") == "closed") }
    try check(store, totals)
  }

  private func check(_ store: SharedStore, _ totals: [Totals]) throws {
    func sum(_ key: String) -> Int { totals.map { $0[key] }.reduce(0, +) }
    #expect(try store.numbers("Account", "balance").reduce(0, +) == 4000)
    #expect(try store.numbers("Counter", "value") == [sum("counted")])
    #expect(try store.numbers("Entry", "amount").count == sum("inserted") - sum("deleted"))
    #expect(try store.numbers("Tally", "value") == Array(repeating: sum("batches"), count: 3))
    #expect(try store.findings() == [])
    #expect(try store.names == ["shared.sqlite"])
  }

  @Test("processes that open a missing store at the same time create one store")
  func creation() throws {
    for _ in 0..<5 {
      let store = try SharedStore()
      let processes = try (0..<3).map { _ in try ChildProcess() }
      for process in processes { try process.send("open \(store.url.path)") }
      for process in processes { #expect(try process.answer() == "open") }
      for process in processes { #expect(try process.ask("save").hasPrefix("saved")) }
      for process in processes { #expect(try process.ask("close") == "closed") }
      #expect(try store.numbers("Entry", "amount") == [1, 1, 1])
      #expect(try store.findings() == [])
      #expect(try store.names == ["shared.sqlite"])
    }
  }

  @Test("if two processes change one object, the later save has a conflict and changes nothing")
  func conflict() throws {
    let store = try prepare()
    let process = try store.startProcess()
    try store.opened { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      try context.performAndWait {
        let counter = try #require(
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Counter")).first)
        let tally = try #require(
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tally")).first)
        #expect(counter.value(forKey: "value") as? Int == 0)
        // Two of ten operations of the process raise the counter.
        #expect(try process.ask("work 1 30").contains("counted=0") == false)
        counter.setValue(-5, forKey: "value")
        tally.setValue(-5, forKey: "value")
        let error = try #require(throws: CocoaError.self) { try context.save() }
        #expect(error.errorCode == NSManagedObjectMergeError)
        #expect(context.updatedObjects == [counter, tally])
      }
    }
    #expect(try store.numbers("Counter", "value").allSatisfy { $0 > 0 })
    #expect(try store.numbers("Tally", "value").allSatisfy { $0 >= 0 })
  }
}
