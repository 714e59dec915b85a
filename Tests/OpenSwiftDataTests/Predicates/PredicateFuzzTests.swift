import Foundation
import OpenSwiftData
import Testing

@Suite("Predicates that are composed at random")
struct PredicateFuzzTests {
  /// How many predicates are compared; the environment decides, 400 without it.
  private static let count =
    ProcessInfo.processInfo.environment["OPENCOREDATA_PREDICATE_FUZZ"].flatMap { Int($0) } ?? 400
  /// The number of the first predicate, which decides what it is.
  private static let first =
    ProcessInfo.processInfo.environment["OPENCOREDATA_PREDICATE_FUZZ_FIRST"].flatMap {
      UInt64($0)
    } ?? 1

  @Test("a fetch finds what evaluation does, in either store, with unsaved changes")
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
