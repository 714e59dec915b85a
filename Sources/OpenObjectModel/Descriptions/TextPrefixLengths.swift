internal import Foundation

/// The user-info key of the prefix lengths that the text index of an attribute with `isIndexedBySpotlight` also contains.
///
/// The value is a list of lengths such as `"2,3"`. A store with `OpenTextIndexOption` then also indexes the first two and the first
/// three letters of each word; saves take longer for it. See `Docs/FullTextSearch.md`. An addition to Apple's API.
public let OpenTextPrefixLengthsKey = "OpenTextPrefixLengths"

/// Reads the lengths of beginnings of words that a property's user info names.
enum TextPrefixLengths {
  /// What SQLite's full-text indexes can have.
  private static let (lengths, mostLengths) = (1...999, 31)

  /// The lengths, ascending and each once; empty without the key, nil for a value that is none.
  static func named(by property: NSPropertyDescription) -> [Int]? {
    guard let value = property.userInfo?[OpenTextPrefixLengthsKey] else { return [] }
    guard let numbers = numbers(in: value), numbers.allSatisfy(lengths.contains) else {
      return nil
    }
    let sorted = Set(numbers).sorted()
    return sorted.count <= mostLengths ? sorted : nil
  }

  private static func numbers(in value: Any) -> [Int]? {
    switch value {
    case let numbers as [Int]: return numbers
    case let number as Int: return [number]
    case let text as String:
      let parts = text.split { $0 == "," || $0 == " " }
      let numbers = parts.compactMap { Int($0) }
      return numbers.count == parts.count ? numbers : nil
    default: return nil
    }
  }
}
