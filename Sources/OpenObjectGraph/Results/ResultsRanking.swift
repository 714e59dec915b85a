internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Turns the first value that rows are sorted by into a number that compares as it does.
///
/// Numbers that differ say how their rows sort; equal ones say nothing. So most comparisons of rows need no look at
/// their values.
struct ResultsRanking {
  private let sign: Double
  private let ranksTexts: Bool

  /// Creates the ranking of a sort term; without one, or for values of mixed types, all rows rank alike.
  init(_ term: SortTerm?) {
    let term = term?.operand.ownOrdinal == nil ? nil : term
    sign = term.map { $0.isAscending ? 1 : -1 } ?? 0
    ranksTexts = term?.collation == .binary
  }

  /// The number of a row's values.
  func rank(_ keys: [Value]) -> Double {
    guard sign != 0, let first = keys.first else { return 0 }
    return switch first {
    case .null: sign * -Double.infinity
    case .int(let integer): sign * Double(integer)
    case .bool(let flag): flag ? sign : 0
    case .double(let real), .date(let real): real.isNaN ? sign * -Double.infinity : sign * real
    case .string(let text): ranksTexts ? sign * Self.start(of: text) : 0
    case .decimal, .uuid, .data, .url, .object, .list: 0
    }
  }

  /// The first six bytes of a text as one number: texts sort by their bytes.
  private static func start(of text: String) -> Double {
    var number: UInt64 = 0
    var length = 0
    for byte in text.utf8.prefix(6) {
      number = number << 8 | UInt64(byte)
      length += 1
    }
    return Double(number << UInt64(8 * (6 - length)))
  }
}

extension Operand {
  /// The ordinal of the row's own property that the operand is; nil for anything else.
  var ownOrdinal: Int? {
    guard case .property(let path) = self, path.steps.isEmpty, path.level == 0,
      case .property(let ordinal) = path.end
    else { return nil }
    return ordinal
  }
}
