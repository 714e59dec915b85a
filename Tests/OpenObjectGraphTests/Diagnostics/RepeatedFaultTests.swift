import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Reports of objects that are read one at a time.
@Suite("Repeated faults")
struct RepeatedFaultTests {
  // Each test runs in a separate process, because the switch affects all contexts of a process.

  private static func stack() throws -> (BudgetStack, NSManagedObjectContext) {
    let stack = try BudgetStack()
    try stack.seed(posts: 360, share: 3)
    return (stack, stack.makeContext())
  }

  private static var users: NSFetchRequest<BudgetUser> { BudgetStack.authors() }

  @Test("a to-many relationship read object by object is reported with its remedy")
  func toMany() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      NSManagedObjectContext.reportsRepeatedFaults = true
      let (stack, context) = try RepeatedFaultTests.stack()
      defer { withExtendedLifetime(stack) {} }
      try context.performAndWait { () throws in
        for user in try context.fetch(RepeatedFaultTests.users) { _ = user.posts?.count }
        let report = try #require(context.repeatedFaults.first)
        #expect(context.repeatedFaults.count == 1)
        #expect(report.entityName == "BudgetUser")
        #expect(report.relationshipName == "posts")
        #expect(report.count == 120)
        #expect(report.suggestion.contains("relationshipKeyPathsForPrefetching to [\"posts\"]"))
        let statement = try #require(report.statement)
        #expect(stack.recorder.all.contains(statement))
        // The remedy ends the reports.
        let cured = stack.makeContext()
        try cured.performAndWait { () throws in
          let request = RepeatedFaultTests.users
          request.relationshipKeyPathsForPrefetching = ["posts"]
          for user in try cured.fetch(request) { _ = user.posts?.count }
          #expect(cured.repeatedFaults.isEmpty)
        }
      }
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let lines = log.split(separator: "\n").filter { $0.contains("Repeated faults") }
    #expect(lines.count == 2)
    #expect(
      lines.first?.contains(": 10 statements read the relationship posts of BudgetUser") == true)
    #expect(lines.last?.contains(": 100 statements") == true)
  }

  @Test(
    "the report names the to-one relationship of sources read one by one, otherwise objects by id")
  func single() async {
    await #expect(processExitsWith: .success) {
      NSManagedObjectContext.reportsRepeatedFaults = true
      let (stack, context) = try RepeatedFaultTests.stack()
      defer { withExtendedLifetime(stack) {} }
      try context.performAndWait { () throws in
        for number in 0..<60 {
          let request = BudgetStack.request()
          request.predicate = NSPredicate(format: "number == %d", number)
          _ = try context.fetch(request).first?.author?.name
        }
        let report = try #require(context.repeatedFaults.first)
        #expect(report.entityName == "BudgetPost")
        #expect(report.relationshipName == "author")
        #expect(report.count == 20)
        #expect(report.statement.map(stack.recorder.all.contains) == true)
      }
      let other = stack.makeContext()
      try other.performAndWait { () throws in
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "BudgetUser")
        request.resultType = .managedObjectIDResultType
        for id in try other.fetch(request).dropFirst(30) {
          _ = (other.object(with: id) as? BudgetUser)?.name
        }
        let report = try #require(other.repeatedFaults.first)
        #expect(report.entityName == "BudgetUser")
        #expect(report.relationshipName == nil)
        #expect(report.suggestion.contains("SELF IN"))
      }
    }
  }

  @Test(
    "faults that fire together, few reads in a block, and reads without the switch are not reported"
  )
  func silence() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let (stack, context) = try RepeatedFaultTests.stack()
      defer { withExtendedLifetime(stack) {} }
      try context.performAndWait { () throws in
        for user in try context.fetch(RepeatedFaultTests.users) { _ = user.posts?.count }
        #expect(context.repeatedFaults.isEmpty)
      }
      NSManagedObjectContext.reportsRepeatedFaults = true
      let other = stack.makeContext()
      try other.performAndWait { () throws in
        for post in try other.fetch(BudgetStack.request()) { _ = post.author?.name }
      }
      let users = try other.performAndWait { () throws in
        try other.fetch(RepeatedFaultTests.users)
      }
      for slice in stride(from: 0, to: 45, by: 9) {
        other.performAndWait {
          for user in users[slice..<slice + 9] { _ = user.posts?.count }
        }
      }
      other.performAndWait { #expect(other.repeatedFaults.isEmpty) }
    }
    let log = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(!log.contains("Repeated faults"))
  }
}
