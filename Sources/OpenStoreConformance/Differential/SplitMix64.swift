/// A random number generator that returns the same sequence for the same seed on every platform.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a random number from 0 up to, but not including, a bound.
  ///
  /// - Parameter bound: The bound. A value less than 1 is treated as 1.
  package mutating func below(_ bound: Int) -> Int {
    Int.random(in: 0..<max(1, bound), using: &self)
  }

  /// Returns true once in `count` calls on average.
  ///
  /// - Parameter count: The average number of calls for one true result. For 1 or less, the result
  ///   is always true.
  package mutating func once(in count: Int) -> Bool { below(count) == 0 }

  package mutating func element<Element>(of choices: [Element]) -> Element {
    choices[below(choices.count)]
  }
}
