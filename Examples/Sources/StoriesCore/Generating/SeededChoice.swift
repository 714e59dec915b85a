/// Random choices from a seed, the same on every machine and in every Swift version.
struct SeededChoice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from zero up to, but not including, a limit; zero if the limit is not positive.
  mutating func number(below limit: Int) -> Int {
    limit > 0 ? Int(next().multipliedFullWidth(by: UInt64(limit)).high) : 0
  }

  /// Returns an element of a list, or the fallback if the list is empty.
  mutating func pick(_ list: [String], or fallback: String = "") -> String {
    list.isEmpty ? fallback : list[number(below: list.count)]
  }

  /// Returns distinct elements of a list in random order.
  mutating func pick(_ count: Int, of list: [String]) -> [String] {
    var rest = list
    var picked: [String] = []
    while picked.count < count, !rest.isEmpty {
      picked.append(rest.remove(at: number(below: rest.count)))
    }
    return picked
  }
}
