/// The only random source of the simulator: a small generator with the same sequence on every platform and in every version of
/// Swift.
///
/// The standard library does not specify how `random(in:using:)` consumes a generator, so this type implements the few draws
/// that the site needs.
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

  /// Returns a number from zero up to, but not including, a limit; zero if the limit is not positive.
  mutating func next(below limit: Int) -> Int {
    guard limit > 0 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(limit)).high)
  }

  /// Returns a number in a closed range.
  mutating func next(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + next(below: range.upperBound - range.lowerBound + 1)
  }

  /// Returns whether an event occurs that has a probability in percent.
  mutating func happens(percent: Int) -> Bool {
    next(below: 100) < percent
  }

  /// Returns an element of a list; the fallback if the list is empty.
  mutating func pick<Element>(_ list: [Element], or fallback: Element) -> Element {
    guard !list.isEmpty else { return fallback }
    return list[next(below: list.count)]
  }

  /// Returns a word of a list; the empty string if the list is empty.
  mutating func word(_ list: [String]) -> String {
    pick(list, or: "")
  }

  /// Returns a random position with a probability proportional to its weight; `nil` if no weight is positive.
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
