import Foundation
import OpenSwiftData
import Testing

@Suite("Random predicates")
struct PredicateFuzzTests {
  /// The number of predicates to compare, from the environment; 400 by default.
  private static let count =
    ProcessInfo.processInfo.environment["OPENCOREDATA_PREDICATE_FUZZ"].flatMap { Int($0) } ?? 400
  /// The number of the first predicate, which is its seed.
  private static let first =
    ProcessInfo.processInfo.environment["OPENCOREDATA_PREDICATE_FUZZ_FIRST"].flatMap {
      UInt64($0)
    } ?? 1

  @Test("fetches and evaluation find the same models, in both stores, with unsaved changes")
  func differences() throws {
    let worlds = try FormWorlds().worlds
    for seed in Self.first..<(Self.first + UInt64(max(0, Self.count))) {
      let predicate = PredicateMaker.predicate(seed: seed)
      for (world, kind) in zip(worlds, FormWorld.StoreKind.allCases) {
        let wanted = try world.items.filter { try predicate.evaluate($0) }.map(\.number)
        let found = Result { try world.numbers(predicate, inMemory: true) }
        if (try? found.get()) == wanted { continue }
        Issue.record("predicate \(seed), \(kind): \(found), not \(wanted)")
      }
    }
  }
}
