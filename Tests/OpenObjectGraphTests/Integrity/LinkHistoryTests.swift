import Foundation
import OpenCoreData
import Testing

/// `OPENCOREDATA_LINK_HISTORIES` sets the number of histories, `OPENCOREDATA_LINK_SEED` the first seed; a failure
/// names its seed and a short failing history for `LinkCaseTests`.
@Suite("Random histories of references")
struct LinkHistoryTests {
  @Test(
    "after each save every reference leads to a row, both sides agree, and merging contexts agree",
    arguments: StoreTypes.both)
  func histories(type: String) throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["OPENCOREDATA_LINK_HISTORIES"].flatMap(Int.init) ?? 40
    let first = environment["OPENCOREDATA_LINK_SEED"].flatMap(UInt64.init) ?? 1
    var failures = 0
    for seed in first..<first + UInt64(count) where failures < 5 {
      let policy = LinkHistory.policies[Int(seed % UInt64(LinkHistory.policies.count))]
      var numbers = RandomLinks(seed: seed)
      guard
        let steps = try LinkHistory.failure(of: &numbers, steps: 60, policy, type: type)
      else { continue }
      failures += 1
      let reduction = LinkReduction(policy: policy, type: type)
      let shortest = reduction.shortest(of: steps)
      let failure = reduction.failure(of: shortest).map { "\($0)" } ?? "passes when taken again"
      let place = "seed \(seed), \(type), policy \(policy.mergeType)"
      Issue.record("\(place): \(failure): \(shortest.map(\.description).joined(separator: "; "))")
    }
  }
}
