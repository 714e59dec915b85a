public import Foundation

extension SortComparison {
  /// Creates the comparison that corresponds to the string comparator of a Swift sort descriptor;
  /// `.plain` if the comparator is nil. The initializer ignores the order of the comparator.
  ///
  /// The result is nil for string comparators other than `.lexical`, `.localized` and
  /// `.localizedStandard`.
  package init?(_ comparator: String.StandardComparator?) {
    guard var comparator else {
      self = .plain
      return
    }
    comparator.order = .forward
    switch comparator {
    case .lexical: self = .plain
    case .localized: self = .localized
    case .localizedStandard: self = .localizedStandard
    default: return nil
    }
  }
}

extension String.StandardComparator {
  /// The order of names in file lists: by locale, ignoring case, with numbers in numeric order.
  ///
  /// Foundation lacks this comparator on this platform. Fetches apply this order, but Foundation's
  /// `sort(using:)` orders strings by their bytes, and numbers within strings by value.
  ///
  /// > Reference: Apple, String.StandardComparator.localizedStandard. Differs: D-352.
  public static var localizedStandard: String.StandardComparator {
    StandardComparatorParts(options: .numeric, isLocalized: true).comparator
  }

  /// The order according to the rules of the current locale.
  ///
  /// Foundation lacks this comparator on this platform. Fetches apply this order.
  ///
  /// > Reference: Apple, String.StandardComparator.localized. Differs: D-352.
  public static var localized: String.StandardComparator {
    StandardComparatorParts(options: [], isLocalized: true).comparator
  }
}

/// The stored properties of Foundation's comparator, which has no public initializer.
private struct StandardComparatorParts {
  let options: String.CompareOptions
  let isLocalized: Bool
  let order = SortOrder.forward

  /// The comparator with these parts; the plain comparator if Foundation's type has other parts.
  var comparator: String.StandardComparator {
    guard Self.isKnown else { return .lexical }
    // The stored properties and their order are equal, which is checked at run time.
    return unsafeBitCast(self, to: String.StandardComparator.self)
  }

  private static let isKnown: Bool = {
    let plain = String.StandardComparator.lexical
    let types = Mirror(reflecting: plain).children.map { ObjectIdentifier(type(of: $0.value)) }
    let expected: [Any.Type] = [String.CompareOptions.self, Bool.self, SortOrder.self]
    return types == expected.map { ObjectIdentifier($0) }
      && MemoryLayout<String.StandardComparator>.size == MemoryLayout<Self>.size
  }()
}
