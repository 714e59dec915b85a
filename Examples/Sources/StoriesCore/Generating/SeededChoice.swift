/// Choices that follow from a seed, on every machine and in every version of Swift.
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

  /// A number from zero up to, not including, a limit; zero for no positive limit.
  mutating func number(below limit: Int) -> Int {
    limit > 0 ? Int(next().multipliedFullWidth(by: UInt64(limit)).high) : 0
  }

  /// An element of a list; the fallback of an empty one.
  mutating func pick(_ list: [String], or fallback: String = "") -> String {
    list.isEmpty ? fallback : list[number(below: list.count)]
  }

  /// Some elements of a list in an order by chance, none of them twice.
  mutating func pick(_ count: Int, of list: [String]) -> [String] {
    var rest = list
    var picked: [String] = []
    while picked.count < count, !rest.isEmpty {
      picked.append(rest.remove(at: number(below: rest.count)))
    }
    return picked
  }
}
