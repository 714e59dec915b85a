internal import Foundation

/// The key, in an attribute's user info, for the lengths of word prefixes that a text index
/// contains.
///
/// The value contains at most 31 lengths from 1 to 999, as a string such as `"2,3"`, as an integer,
/// or as an array of integers. For any other value, ``NSManagedObjectModel/compiled()`` throws
/// `ModelError` with code `.unusablePrefixLengths`. With `"2,3"`, a store with
/// `OpenTextIndexOption` indexes the first two and the first three characters of each word, in
/// addition to whole words. The additional entries make saves slower. The key applies only to
/// attributes with `isIndexedBySpotlight`; see `Docs/FullTextSearch.md`.
///
/// This is an addition to Apple's API.
public let OpenTextPrefixLengthsKey = "OpenTextPrefixLengths"

/// Reads the prefix lengths in a property's user info.
enum TextPrefixLengths {
  /// The limits of SQLite's full-text indexes.
  private static let (lengths, mostLengths) = (1...999, 31)

  /// Returns the distinct lengths in ascending order; empty without the key, nil for an invalid
  /// value.
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
