import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// Batch deletions of rows without incoming references or delete rules, which need one statement.
@Suite("Batch deletions of independent rows")
struct BatchDeleteAloneTests {
  private func delete(
    in stack: TypedStack, _ type: NSBatchDeleteRequestResultType = .resultTypeCount,
    _ narrow: (NSFetchRequest<any NSFetchRequestResult>) -> Void
  ) throws -> Any? {
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "TypedPost")
    narrow(fetch)
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = type
    return (try stack.context.execute(request) as? NSBatchDeleteResult)?.result
  }

  private func rest(_ stack: TypedStack) throws -> [Int32] {
    let request = NSFetchRequest<TypedPost>(entityName: "TypedPost")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try stack.context.values(of: request, \.number)
  }

  private func run(_ type: String, _ body: (TypedStack) throws -> Void) throws {
    let stack = try TypedStack(type)
    try stack.context.performAndWait { try body(stack) }
  }

  @Test("matching rows are deleted, and their ids are returned", arguments: FetchingModel.stores)
  func condition(type: String) throws {
    try run(type) { stack in
      let hidden = TypedPost.fetchRequest().where(\.isHidden == true)
      let ids = try stack.context.values(of: hidden, \.objectID)
      let deleted = try delete(in: stack, .resultTypeObjectIDs) {
        $0.predicate = .where(\TypedPost.isHidden == true)
      }
      #expect(Set(try #require(deleted as? [NSManagedObjectID])) == Set(ids))
      #expect(try rest(stack) == [0, 2, 4, 6, 8, 10])
    }
  }

  @Test("a condition can use other entities and lists", arguments: FetchingModel.stores)
  func path(type: String) throws {
    try run(type) { stack throws in
      let first = try delete(in: stack) { $0.predicate = .where(\TypedPost.forum?.number == 1) }
      #expect(first as? Int == 4)
      let second = try delete(in: stack) {
        $0.predicate = .where((\TypedPost.number).isIn([0, 1, 6, 99]))
      }
      #expect(second as? Int == 2)
      #expect(try rest(stack) == [2, 3, 8, 9, 10, 11])
    }
  }

  @Test("without a condition, all rows are deleted and counted", arguments: FetchingModel.stores)
  func all(type: String) throws {
    try run(type) { stack throws in
      #expect(try delete(in: stack) { _ in } as? Int == 12)
      #expect(try rest(stack).isEmpty)
      #expect(try delete(in: stack) { _ in } as? Int == 0)
    }
  }

  @Test("a limit applies", arguments: FetchingModel.stores)
  func limit(type: String) throws {
    try run(type) { stack throws in
      let count = try delete(in: stack) {
        $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
        $0.fetchLimit = 2
      }
      #expect(count as? Int == 2)
      #expect(try rest(stack) == Array(0..<10))
    }
  }

  @Test("the deletion does not first read or list the rows")
  func statements() throws {
    try run(NSSQLiteStoreType) { stack in
      let statements = try stack.recorder.recording {
        _ = try delete(in: stack) { $0.predicate = .where(\TypedPost.isHidden == true) }
      }.statements.filter { $0.contains("ZTYPEDPOST") }
      #expect(statements.count == 1)
      #expect(statements.first?.hasPrefix("DELETE") == true)
    }
  }
}
