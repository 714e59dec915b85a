import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// The cost of following changes, counted instead of timed.
@Suite("Fetched results: cost")
struct ResultsCostTests {
  @Test("100 insertions into 10,000 followed rows run no statement and compare O(log n) rows each")
  func insertions() throws {
    let stack = try ResultsStack()
    try stack.seed(10_000)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      stack.log.removeAll()
      for number in 0..<100 {
        let before = controller.evaluationCounts
        stack.insert(number * 997 % 100_000 + 5)
        stack.context.processPendingChanges()
        let after = controller.evaluationCounts
        #expect(after.tests - before.tests == 1)
        #expect(after.comparisons - before.comparisons <= 30)
      }
      #expect(stack.log.all.isEmpty)
      #expect(recorder.calls.count == 300)
      #expect(controller.fetchedObjects?.count == 10_100)
    }
  }

  @Test(
    "moves and deletions among 10,000 rows in sections cost O(log n) comparisons each, no statement"
  )
  func moves() throws {
    let stack = try ResultsStack()
    try stack.seed(10_000, perSection: 1000)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed(sections: true)
      let entries = try #require(controller.fetchedObjects)
      stack.log.removeAll()
      for number in 0..<100 {
        let before = controller.evaluationCounts
        let entry = entries[number * 97]
        if number % 2 == 0 { stack.context.delete(entry) } else { entry.section = "e" }
        stack.context.processPendingChanges()
        let after = controller.evaluationCounts
        #expect(after.tests - before.tests <= 1)
        #expect(after.comparisons - before.comparisons <= 60)
      }
      #expect(stack.log.all.isEmpty)
      #expect(recorder.calls.count >= 300)
    }
  }

  @Test(
    "a save of 100 insertions into 10,000 followed rows reads nothing and visits each new row once"
  )
  func savedInsertions() throws {
    let stack = try ResultsStack()
    try stack.seed(10_000)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      for round in 0..<3 {
        let before = controller.evaluationCounts
        recorder.calls.removeAll()
        stack.log.removeAll()
        for number in 0..<100 { stack.insert(number * 997 % 100_000 + round) }
        try stack.context.save()
        let after = controller.evaluationCounts
        #expect(after.tests - before.tests == 100)
        #expect(after.comparisons - before.comparisons <= 100 * 30)
        #expect(recorder.count(.insert) == 100)
        #expect(recorder.calls.count == 102)
        #expect(!stack.log.all.contains { $0.hasPrefix("SELECT") })
        #expect(stack.log.all.count { $0.hasPrefix("INSERT") } == 1)
        #expect(stack.log.all.count <= 6)
      }
      #expect(controller.fetchedObjects?.count == 10_300)
    }
  }

  @Test("objects of other entities are not visited")
  func others() throws {
    let stack = try ResultsStack()
    try stack.seed(100)
    try stack.context.performAndWait {
      let (controller, recorder) = try stack.followed()
      let before = controller.evaluationCounts
      for _ in 0..<50 { _ = ResultsFolder(context: stack.context) }
      stack.context.processPendingChanges()
      #expect(controller.evaluationCounts == before)
      #expect(recorder.calls.isEmpty)
    }
  }
}
