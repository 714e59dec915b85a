import Foundation
import OpenCoreData
import Testing

/// Fetches whose rows fill megabytes.
@Suite("Long fetches")
struct LongFetchTests {
  private static let count = 8_000

  /// Long enough that all rows together fill several regions of memory.
  private static func name(_ rank: Int) -> String {
    "\(rank) " + String(repeating: "abcdefgh", count: 60 + rank % 7)
  }

  private func filledContainer(_ type: String) throws -> NSPersistentContainer {
    let stack = try FetchingStack(type)
    let objects = (0..<Self.count).map { rank in
      ["rank": rank, "name": Self.name(rank), "price": 1.5] as [String: Any]
    }
    try stack.context.performAndWait {
      _ = try stack.context.execute(NSBatchInsertRequest(entityName: "Item", objects: objects))
    }
    return stack.container
  }

  private func isWhole(_ item: NSManagedObject, _ rank: Int) -> Bool {
    item.value(forKey: "rank") as? Int == rank
      && item.value(forKey: "name") as? String == Self.name(rank)
      && item.value(forKey: "price") as? Double == 1.5
  }

  @Test(
    "objects keep the values of their rows while other rows change, on several threads",
    arguments: FetchingModel.stores)
  func values(type: String) throws {
    let container = try filledContainer(type)
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      let context = container.newBackgroundContext()
      context.performAndWait {
        do {
          var kept: [(rank: Int, item: NSManagedObject)] = []
          for round in 0..<3 {
            let request = FetchingStack.request(sort: [
              NSSortDescriptor(key: "rank", ascending: true)
            ])
            request.predicate = NSPredicate(format: "rank >= %d", round * thread * 500)
            let items = try context.fetch(request)
            #expect(items.count == Self.count - round * thread * 500)
            for (index, item) in items.enumerated() {
              let rank = index + round * thread * 500
              if !isWhole(item, rank) { Issue.record("Item \(rank) has values of another one.") }
              if rank % 601 == thread { kept.append((rank, item)) }
            }
          }
          for (rank, item) in kept { #expect(isWhole(item, rank)) }
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  @Test(
    "all changed objects of a long fetch are saved and reread by another context",
    arguments: FetchingModel.stores)
  func changes(type: String) throws {
    let container = try filledContainer(type)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let items = try context.fetch(FetchingStack.request())
      for item in items { item.setValue(1.75, forKey: "price") }
      try context.save()
      for item in items {
        let rank = item.value(forKey: "rank") as? Int ?? -1
        #expect(item.value(forKey: "name") as? String == Self.name(rank))
      }
    }
    let other = container.newBackgroundContext()
    try other.performAndWait {
      let request = FetchingStack.request("price == 1.75")
      let changed = try other.fetch(request)
      #expect(changed.count == Self.count)
    }
  }
}
