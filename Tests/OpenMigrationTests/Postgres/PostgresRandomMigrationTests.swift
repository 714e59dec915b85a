import Foundation
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenStoreContract
import PostgresTestServer
import Testing

@Suite(
  "Random models and changes of them in PostgreSQL stores", .enabled(if: TestServer.isPresent))
struct PostgresRandomMigrationTests {
  /// The number of pairs; the long run sets it.
  private static var count: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_MIGRATIONS"].flatMap(Int.init) ?? 40
  }

  @Test("in place and by copy, the rows follow the rules")
  func pairs() throws {
    var ways: [StoreMigrationPlan.Way: Int] = [:]
    var failures = 0
    for seed in 1...Self.count {
      do {
        let (way, differences) = try check(seed)
        if let way { ways[way, default: 0] += 1 }
        if !differences.isEmpty {
          failures += 1
          Issue.record("Seed \(seed): \(differences.prefix(6).joined(separator: "\n"))")
        }
      } catch {
        failures += 1
        Issue.record("Seed \(seed): \(error)")
      }
      if failures > 5 { return }
    }
    print("Ways: \(ways)")
    #expect((ways[.inPlace] ?? 0) > Self.count / 4)
    #expect((ways[.copy] ?? 0) > 0)
  }

  /// Checks one pair.
  ///
  /// - Returns: The planned way, nil for a change that is not legal; and what is wrong.
  private func check(_ seed: Int) throws -> (StoreMigrationPlan.Way?, [String]) {
    var planned: StoreMigrationPlan.Way?
    var wrong: [String] = []
    for way in [nil, StoreMigrationPlan.Way.copy] {
      var numbers = Seeded(seed)
      let model = RandomModel.random(using: &numbers)
      let next = model.changed(using: &numbers)
      let (old, new) = (model.make(), next.make())
      let store = try ServedStore()
      do { _ = try store.transition(old, new) } catch is InferenceError { return (nil, []) }
      let before = try store.with(old) { context in
        try model.fill(context, using: &numbers)
        context.reset()
        return try StoreImage(model, in: context)
      }
      let expected = before.changed(from: model, to: next)
      let identifier = try store.identifier
      if way == nil { planned = try store.plan(old, new).way }
      try store.migrate(old, new, by: way)
      let image = try store.with(new) { try StoreImage(next, in: $0) }
      let name = way?.rawValue ?? "planned"
      wrong += image.differences(from: expected).map { "\(name): \($0)" }
      if try store.identifier != identifier { wrong.append("\(name): another identifier") }
    }
    return (planned, wrong)
  }
}
