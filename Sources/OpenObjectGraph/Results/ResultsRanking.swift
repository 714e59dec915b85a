internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Converts the first value that rows are sorted by into a number with the same order.
///
/// If the numbers of two rows differ, they determine the order of the rows. If the numbers are
/// equal, the values must be compared. Most comparisons of rows therefore do not read the values.
struct ResultsRanking {
  private let sign: Double
  private let ranksTexts: Bool

  /// Creates the ranking of a sort term. Without a term, or with values of mixed types, all rows
  /// have the same rank.
  init(_ term: SortTerm?) {
    let term = term?.operand.ownOrdinal == nil ? nil : term
    sign = term.map { $0.isAscending ? 1 : -1 } ?? 0
    ranksTexts = term?.collation == .binary
  }

  /// Returns the rank of a row from the values that the row is sorted by.
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

  /// Returns the first six bytes of a string as one number, because strings are sorted by their
  /// bytes.
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
  /// The ordinal if the operand is a property of the row itself; nil for any other operand.
  var ownOrdinal: Int? {
    guard case .property(let path) = self, path.steps.isEmpty, path.level == 0,
      case .property(let ordinal) = path.end
    else { return nil }
    return ordinal
  }
}
