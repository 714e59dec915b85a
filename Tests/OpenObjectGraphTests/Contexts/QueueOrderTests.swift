import Dispatch
import Foundation
import OpenCoreData
import OpenObjectGraph
import Synchronization
import Testing

/// The order and the threads in which contexts run their work.
@Suite("Queues of contexts")
struct QueueOrderTests {
  /// Numbers in the order in which they were recorded.
  private final class Order: Sendable {
    private let numbers = Mutex<[Int]>([])

    var all: [Int] { numbers.withLock { $0 } }

    func note(_ number: Int) { numbers.withLock { $0.append(number) } }
  }

  @Test("work runs in the order of the calls, whether its caller waits for it or not")
  func order() throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let order = Order()
    for number in 0..<300 {
      if number % 7 == 6 {
        context.performAndWait { order.note(number) }
      } else {
        context.perform { order.note(number) }
      }
    }
    context.performAndWait { order.note(300) }
    #expect(order.all == Array(0...300))
  }

  @Test("a block of a private queue releases its captured values on the queue")
  func release() throws {
    final class Witness: Sendable {
      let released: @Sendable () -> Void

      init(_ released: @escaping @Sendable () -> Void) { self.released = released }

      deinit { released() }
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let order = Order()
    do {
      let witness = Witness { order.note(1) }
      context.perform { withExtendedLifetime(witness) {} }
    }
    context.performAndWait { order.note(2) }
    #expect(order.all == [1, 2])
  }

  @Test("a caller that waits for a private queue runs its block itself")
  func callingThread() throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    for _ in 0..<100 {
      context.perform {}
      let own = pthread_self()
      context.performAndWait { #expect(pthread_self() == own) }
    }
  }

  @Test("work for the main queue runs on the main thread, also while the main thread waits")
  @MainActor
  func mainThread() throws {
    let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    let worker = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    for _ in 0..<100 {
      let (order, ready) = (Order(), DispatchSemaphore(value: 0))
      let own = pthread_self()
      worker.perform {
        ready.signal()
        main.performAndWait {
          #expect(pthread_self() == own)
          // The thread that waits for this block is running the worker's block.
          worker.performAndWait { order.note(1) }
        }
        order.note(2)
      }
      ready.wait()
      worker.performAndWait { order.note(3) }
      #expect(order.all == [1, 2, 3])
    }
  }

  /// Contexts with randomly nested blocks, and the blocks that run on each context.
  // Invariant of the unchecked conformance: contexts are only asked to run blocks.
  private final class Nest: @unchecked Sendable {
    let contexts: [NSManagedObjectContext]
    private let running: Mutex<[[Int]]>
    private let number = Atomic<Int>(0)

    init() {
      let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      var contexts = [main]
      for _ in 0..<4 {
        contexts.append(NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
      }
      self.contexts = contexts
      running = Mutex(Array(repeating: [], count: contexts.count))
    }

    /// Runs a block on a random context, and further blocks inside it.
    func run(depth: Int, _ numbers: inout some RandomNumberGenerator) {
      let place = Int.random(in: 0..<contexts.count, using: &numbers)
      let children = depth == 0 ? 0 : Int.random(in: 0...2, using: &numbers)
      contexts[place].performAndWait {
        let own = number.add(1, ordering: .relaxed).newValue
        running.withLock { $0[place].append(own) }
        for _ in 0..<children {
          run(depth: depth - 1, &numbers)
          // Blocks that ran on the same context in the interim are done.
          #expect(running.withLock { $0[place].last } == own)
        }
        running.withLock { running in #expect(running[place].popLast() == own) }
      }
    }
  }

  @Test("randomly nested blocks on many threads finish, and never run concurrently on a context")
  func nesting() throws {
    let nest = Nest()
    let group = DispatchGroup()
    for seed in 1...6 {
      group.enter()
      Thread.detachNewThread {
        var numbers = SeededNumbers(seed: UInt64(seed))
        for _ in 0..<500 { nest.run(depth: 4, &numbers) }
        group.leave()
      }
    }
    #expect(group.wait(timeout: .now() + 120) == .success)
  }
}
