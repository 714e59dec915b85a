import Foundation
import OpenCoreData
import Testing

/// Random edits, saves, merges, undo, refreshing and batch requests of three contexts, and what a fourth one reads that
/// pins generations, over two stores whose calls fail now and then; compared with a plain model of what they should hold.
/// After each step the parts of each context have to agree.
///
/// `OPENCOREDATA_HISTORIES` sets the number of histories, `OPENCOREDATA_HISTORY_SEED` the first seed; a failure
/// names its seed and step. Up to five failures are reported.
@Suite("Random histories")
struct RandomHistoryTests {
  @Test(
    "four contexts hold what the reference model says",
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
        // What fails is recorded with its seed; a few histories show more than one. Other errors are recorded here.
        if !(error is ExpectationFailedError) { Issue.record(error, "seed \(seed), \(type)") }
        failures += 1
      }
    }
    #expect(failures == 0)
  }
}
