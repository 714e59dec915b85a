/// The inputs of a brief run, which are the same for a seed on every machine, regardless of speed.
///
/// libFuzzer chooses inputs by coverage, which depends on addresses and on the timing of other threads.
struct RandomInputs {
  private let seeds: [[UInt8]]
  private let kind: Kind
  private var numbers: RandomNumbers

  enum Kind { case formats, stores }

  /// - Parameters:
  ///   - lines: Formats that are changed at random; at least one.
  ///   - seed: The seed that determines all inputs.
  init(_ kind: Kind, lines: [String], seed: UInt64) {
    self.kind = kind
    seeds = lines.map { Array($0.utf8) }
    numbers = RandomNumbers(state: seed)
  }

  /// Returns the next input, in the format of `FormatTest` and `StoreTest`.
  mutating func next() -> [UInt8] {
    switch kind {
    case .formats: changedFormat() + [0xFF] + bytes(numbers.below(8))
    case .stores:
      numbers.below(8) == 0 ? [1] + changedFormat() : [0] + bytes(1 + numbers.below(96))
    }
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
  }

  private mutating func seed() -> [UInt8] { seeds[numbers.below(seeds.count)] }

  private mutating func changedFormat() -> [UInt8] {
    var format = seed()
    for _ in 0..<numbers.below(5) { change(&format) }
    return Array(format.prefix(512))
  }

  private mutating func change(_ format: inout [UInt8]) {
    let place = numbers.below(format.count + 1)
    let range = place..<min(format.count, place + 1 + numbers.below(12))
    switch numbers.below(6) {
    case 0: format.removeSubrange(range)
    case 1: format.insert(contentsOf: format[range], at: numbers.below(format.count + 1))
    case 2: format.replaceSubrange(range, with: token())
    case 3: format.insert(contentsOf: token(), at: place)
    case 4: format.replaceSubrange(place..., with: seed().suffix(numbers.below(24)))
    default: if place < format.count { format[place] = UInt8(truncatingIfNeeded: numbers.next()) }
    }
  }

  private mutating func token() -> [UInt8] {
    Array(Self.tokens[numbers.below(Self.tokens.count)].utf8)
  }

  private static let tokens = [
    " AND ", " OR ", "NOT ", "(", ")", "{", "}", "[", "]", ",", ".", "'", "\"", "\\", "%@", "%K",
    "%d", "%%", "$x", "@count", "@sum", "@max.", " == ", " != ", " < ", " >= ", " IN ",
    " BETWEEN {1, 2}", " CONTAINS ", " BEGINSWITH[cd] ", " LIKE ", " MATCHES ", "ANY ", "ALL ",
    "NONE ", "SUBQUERY(", "TERNARY(", "CAST(", "FUNCTION(", "nil", "TRUE", "SELF", "0x1F", "1e300",
    "-9223372036854775808", "+", "-", "*", "/", "**", " UNION ", " MINUS ", "é", "😀", "\u{0}",
  ]
}

/// SplitMix64 by Sebastiano Vigna: a sequence of numbers determined by a seed.
struct RandomNumbers {
  private var state: UInt64

  init(state: UInt64) { self.state = state }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to below a limit.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
