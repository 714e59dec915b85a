import Foundation
import OpenCoreData
import Testing

/// Random edits, saves, merges, undo, refreshing and batch requests of three contexts, compared with a plain model of what they should hold.
///
/// `OPENCOREDATA_HISTORIES` sets the number of histories, `OPENCOREDATA_HISTORY_SEED` the first seed; a failure
/// names its seed and step.
@Suite("Random histories")
struct RandomHistoryTests {
  @Test("three contexts hold what the reference model says", arguments: StoreTypes.both)
  func histories(type: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["OPENCOREDATA_HISTORIES"].flatMap(Int.init) ?? 60
    let first = environment["OPENCOREDATA_HISTORY_SEED"].flatMap(UInt64.init) ?? 1
    for seed in first..<first + UInt64(count) {
      try RandomHistory(seed: seed, type: type).run(steps: 60)
    }
  }
}
