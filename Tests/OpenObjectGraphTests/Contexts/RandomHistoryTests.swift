import Foundation
import OpenCoreData
import Testing

/// Random edits, saves, merges, undo, refreshes and batch requests of three contexts, and the reads of a fourth context
/// that pins generations, with two stores whose calls occasionally fail; compared with a simple reference model.
/// After each step, the parts of each context must be consistent.
///
/// `OPENCOREDATA_HISTORIES` sets the number of histories, `OPENCOREDATA_HISTORY_SEED` the first seed; a failure
/// names its seed and step. Up to five failures are reported.
@Suite("Random histories")
struct RandomHistoryTests {
  @Test(
    "four contexts have the contents of the reference model",
    arguments: StoreTypes.both + ServedStores.types)
  func histories(type: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["OPENCOREDATA_HISTORIES"].flatMap(Int.init) ?? 60
    let first = environment["OPENCOREDATA_HISTORY_SEED"].flatMap(UInt64.init) ?? 1
    let kind = try RandomHistory.StoreKind(type)
    var failures = 0
    for seed in first..<first + UInt64(count) where failures < 5 {
      do {
        try CodedItems.inFolder {
          try RandomHistory(seed: seed, kind: kind, folder: $0).run(steps: 60)
        }
      } catch {
        // Failed expectations are recorded with their seed, a few histories each. Other errors are recorded here.
        if !(error is ExpectationFailedError) { Issue.record(error, "seed \(seed), \(type)") }
        failures += 1
      }
    }
    #expect(failures == 0)
  }
}
