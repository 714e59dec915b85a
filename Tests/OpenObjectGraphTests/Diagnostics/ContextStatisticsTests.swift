import CoreMetrics
import Foundation
import OpenCoreData
import Synchronization
import Testing

/// Records the values reported to counters.
private final class CountingMetrics: MetricsFactory {
  private let totals = Mutex<[String: Int64]>([:])

  subscript(label: String) -> Int64 { totals.withLock { $0[label] ?? 0 } }

  private final class CountingHandler: CounterHandler {
    let label: String
    let owner: CountingMetrics

    init(_ label: String, _ owner: CountingMetrics) {
      self.label = label
      self.owner = owner
    }

    func increment(by amount: Int64) {
      owner.totals.withLock { $0[label, default: 0] += amount }
    }

    func reset() {}
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    CountingHandler(label, self)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { NOOPMetricsHandler.instance }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    NOOPMetricsHandler.instance
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

@Suite("Statistics of contexts")
struct ContextStatisticsTests {
  @Test("fetches, their rows, and objects that were already registered are counted")
  func fetches() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 30, share: 3)
    let context = stack.makeContext()
    defer { withExtendedLifetime(stack) {} }
    try context.performAndWait { () throws in
      let posts = try context.fetch(BudgetStack.request())
      #expect(context.statistics.fetches == 1)
      #expect(context.statistics.fetchedRows == 30)
      #expect(context.statistics.identityMapHits == 0)
      #expect(context.statistics.faultsFired == 0)
      _ = try context.fetch(BudgetStack.request(limit: 10))
      _ = try context.count(for: BudgetStack.request())
      #expect(context.statistics.fetches == 3)
      #expect(context.statistics.fetchedRows == 40)
      #expect(context.statistics.identityMapHits == 10)
      for post in posts { _ = post.text }
      for post in posts { _ = post.number }
      #expect(context.statistics.faultsFired == 30)
      #expect(context.statistics.faultReads == 0)
    }
  }

  @Test("a fetch with the result type count is one fetch without rows")
  func counts() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 3, share: 3)
    let context = stack.makeContext()
    defer { withExtendedLifetime(stack) {} }
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSNumber>(entityName: "BudgetPost")
      request.resultType = .countResultType
      #expect(try context.fetch(request).first?.intValue == 3)
      #expect(context.statistics.fetches == 1)
      #expect(context.statistics.fetchedRows == 0)
    }
  }

  @Test("reads for faults and relationships are counted, and rows that were in the row cache")
  func faults() throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 30, share: 3)
    let (one, other) = (stack.makeContext(), stack.makeContext())
    let (kept, id) = try one.performAndWait { () throws in
      let posts = try one.fetch(BudgetStack.request())
      one.resetStatistics()
      #expect(one.statistics == ContextStatistics(of: stack))
      for post in posts { _ = post.author?.name }
      #expect(one.statistics.faultReads == 1)
      #expect(one.statistics.faultRows == 10)
      #expect(one.statistics.faultsFired == 40)
      return (posts, try #require(posts.first?.author?.objectID))
    }
    try other.performAndWait { () throws in
      let author = try #require(other.object(with: id) as? BudgetUser)
      #expect(author.name != nil)
      #expect(other.statistics.rowCacheHits == 1)
      #expect(other.statistics.faultReads == 0)
      #expect(author.posts?.count == 3)
      #expect(other.statistics.faultReads == 1)
      #expect(other.statistics.faultRows == 3)
    }
    withExtendedLifetime((one, kept, stack)) {}
  }

  @Test("saves are counted with their writes; failed saves are not")
  func saves() throws {
    let stack = try BudgetStack()
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      defer { withExtendedLifetime(stack) {} }
      let posts = (0..<3).map { _ in BudgetPost(context: context) }
      try context.save()
      posts[0].number = 1
      context.delete(posts[1])
      try context.save()
      posts[0].setValue("no number", forKey: "number")
      #expect(throws: ObjectError.self) { try context.save() }
      let statistics = context.statistics
      #expect(statistics.saves == 2)
      #expect(statistics.insertedObjects == 3)
      #expect(statistics.updatedObjects == 1)
      #expect(statistics.deletedObjects == 1)
    }
  }

  @Test("the numbers of all contexts are reported to the program's metrics system, each once")
  func metrics() async {
    await #expect(processExitsWith: .success) {
      let metrics = CountingMetrics()
      MetricsSystem.bootstrap(metrics)
      let stack = try BudgetStack()
      try stack.seed(posts: 6, share: 3)
      var context: NSManagedObjectContext? = stack.makeContext()
      try context?.performAndWait { () throws in
        let posts = try context?.fetch(BudgetStack.request())
        context?.resetStatistics()
        for post in posts ?? [] { _ = post.author?.name }
      }
      context = nil
      withExtendedLifetime(stack) {}
      #expect(metrics["opencoredata.saves"] == 1)
      #expect(metrics["opencoredata.inserted_objects"] == 9)
      #expect(metrics["opencoredata.fetches"] == 1)
      #expect(metrics["opencoredata.fetched_rows"] == 6)
      #expect(metrics["opencoredata.fault_reads"] == 1)
      #expect(metrics["opencoredata.fault_rows"] == 2)
      // The faults fired after the last report were reported when the context was deallocated.
      #expect(metrics["opencoredata.faults_fired"] == 8)
    }
  }
}

extension ContextStatistics {
  /// The statistics of an unused context.
  fileprivate init(of stack: BudgetStack) { self = stack.makeContext().statistics }
}
