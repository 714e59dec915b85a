import Foundation

/// How many programs are killed, and when.
enum KillPlan {
  /// The number of kills of a test; 300 take some minutes.
  ///
  /// - Parameter usual: The number if the environment does not specify one.
  static func count(_ usual: Int) -> Int {
    Int(ProcessInfo.processInfo.environment["KANORA_KILLS"] ?? "") ?? usual
  }

  /// The seed from which the moments follow.
  static var seed: UInt64 {
    UInt64(ProcessInfo.processInfo.environment["KANORA_KILL_SEED"] ?? "") ?? 11
  }
}

/// Numbers that follow from a seed.
struct KillDice {
  private var state = KillPlan.seed

  /// A number from 0 up to a limit.
  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(1, limit)))
  }

  /// A part of some time.
  mutating func part(of whole: Duration) -> Duration { whole * (Double(below(1_000)) / 1_000) }
}
