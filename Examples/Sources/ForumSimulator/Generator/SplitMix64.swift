/// The one source of chance in the simulator: a small generator whose sequence is the same on every
/// platform and in every version of Swift.
///
/// The standard library does not promise how `random(in:using:)` consumes a generator, so the few
/// draws the site needs are spelled out here.
struct SplitMix64: Codable, Sendable, Hashable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from zero up to, not including, a limit; zero when the limit is not positive.
  mutating func next(below limit: Int) -> Int {
    guard limit > 0 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(limit)).high)
  }

  /// A number in a closed range.
  mutating func next(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + next(below: range.upperBound - range.lowerBound + 1)
  }

  /// Whether an event with the given chance, in percent, happens.
  mutating func happens(percent: Int) -> Bool {
    next(below: 100) < percent
  }

  /// An element of a list, or the fallback when the list is empty.
  mutating func pick<Element>(_ list: [Element], or fallback: Element) -> Element {
    guard !list.isEmpty else { return fallback }
    return list[next(below: list.count)]
  }

  /// A word of a list; the empty string when the list is empty.
  mutating func word(_ list: [String]) -> String {
    pick(list, or: "")
  }

  /// The position drawn when each position has a weight; `nil` when no weight is positive.
  mutating func position(weights: some Collection<Int>) -> Int? {
    let total = weights.reduce(0, +)
    guard total > 0 else { return nil }
    var remaining = next(below: total)
    for (position, weight) in weights.enumerated() {
      if remaining < weight { return position }
      remaining -= weight
    }
    return nil
  }
}
