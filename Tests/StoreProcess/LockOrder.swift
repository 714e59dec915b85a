import Dispatch
import Foundation
import OpenCoreData
import ProcessModel
import Synchronization

/// Runs threads that take queues and locks in opposite orders, many times; the parent process watches them.
///
/// A separate thread reads commands, so that `where` is answered even if all other threads hang.
enum LockOrder {
  private static let positions = Positions()

  private struct Misuse: Error {}

  /// Serves commands and the main queue.
  ///
  /// - Parameter way: `loop` for the main thread's run loop, `dispatch` for threads of Dispatch, as programs with an
  ///   asynchronous main function have it.
  static func run(servingMainQueueBy way: String) -> Never {
    Thread.detachNewThread {
      while let line = readLine() { answer(line.split(separator: " ").map(String.init)) }
      exit(0)
    }
    if way == "dispatch" { dispatchMain() }
    while true { RunLoop.main.run() }
  }

  private static func answer(_ words: [String]) {
    if words.first == "where" { return Answer.write(positions.text) }
    Thread.detachNewThread {
      do { Answer.write(try carryOut(words)) } catch { Answer.write(Answer.text(of: error)) }
    }
  }

  private static func carryOut(_ words: [String]) throws -> String {
    guard words.count == 4, words[0] == "pair", let count = Int(words[3]) else { throw Misuse() }
    guard let make = LockPairs.all[words[1]] else { throw Misuse() }
    let coordinator = try ProcessModel.open(URL(fileURLWithPath: words[2]))
    for number in 0..<count {
      positions.clear(number)
      let parts = try make(
        LockPairs(coordinator: coordinator, positions: positions, number: number))
      try run(parts)
    }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    return "done \(words[1])"
  }

  /// Runs the parts at the same time, each on its thread, and waits for all.
  private static func run(_ parts: [LockPart]) throws {
    let group = DispatchGroup()
    let failure = Mutex<(any Error)?>(nil)
    for part in parts {
      group.enter()
      let work: @Sendable () -> Void = {
        do { try part.work() } catch { failure.withLock { $0 = error } }
        positions.set(part.name, "done")
        group.leave()
      }
      if part.isOnMain {
        DispatchQueue.main.async(execute: work)
      } else {
        Thread.detachNewThread(work)
      }
    }
    group.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

/// The position of each thread.
final class Positions: Sendable {
  private let state = Mutex((number: 0, steps: [String: String]()))

  func clear(_ number: Int) { state.withLock { $0 = (number, [:]) } }

  func set(_ part: String, _ step: String) { state.withLock { $0.steps[part] = step } }

  var text: String {
    state.withLock { state in
      "turn \(state.number): "
        + state.steps.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: "; ")
    }
  }
}

/// What one thread does.
// Invariant of the unchecked conformance: the work is run once, by one thread; contexts are used in their blocks only.
struct LockPart: @unchecked Sendable {
  let name: String
  let isOnMain: Bool
  let work: () throws -> Void
}

/// A point that threads leave together.
// Invariant of the unchecked conformance: the condition guards the count.
final class Meeting: @unchecked Sendable {
  private let condition = NSCondition()
  private var missing: Int

  init(of count: Int) { missing = count }

  /// Waits until all threads have arrived.
  func meet() {
    condition.lock()
    missing -= 1
    condition.broadcast()
    while missing > 0 { condition.wait() }
    condition.unlock()
  }
}

/// The threads that use something that only one thread may use at a time.
final class Users: Sendable {
  private struct Overlap: Error {}

  private let count = Atomic(0)

  /// Uses it for a while.
  ///
  /// - Throws: If another thread uses it at the same time.
  func use() throws {
    let isAlone = count.add(1, ordering: .sequentiallyConsistent).oldValue == 0
    var isStillAlone = true
    for _ in 0..<20_000 {
      isStillAlone = count.load(ordering: .sequentiallyConsistent) == 1 && isStillAlone
    }
    count.subtract(1, ordering: .sequentiallyConsistent)
    guard isAlone, isStillAlone else { throw Overlap() }
  }
}
