package import Foundation

/// Reads the outermost dictionary of a property list from a file that may be damaged or malicious.
package enum PropertyListDictionary {
  /// Returns the dictionary; nil if the data is not a property list or its outermost object is not
  /// a dictionary.
  ///
  /// The library itself reads binary lists, because Foundation terminates the program for some
  /// damaged binary lists. Foundation reads lists in other formats.
  package static func read(_ data: Data) -> [String: Any]? {
    guard data.starts(with: Data("bplist".utf8)) else {
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
      return list as? [String: Any]
    }
    guard let list = try? BinaryPropertyList(data) else { return nil }
    var values = BinaryPropertyListValues(list)
    return values.value(list.root, depth: 0) as? [String: Any]
  }

  /// Returns the dictionary in a file; nil if the file does not exist.
  ///
  /// - Parameters:
  ///   - file: The URL of the file.
  ///   - message: The message of the error.
  /// - Throws: `ModelError` with code `.unreadable` if the file exists but cannot be read, or does
  ///   not contain a dictionary.
  static func read(
    at file: URL, ifDamaged message: String
  ) throws(ModelError) -> [String: Any]? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    if let data = try? Data(contentsOf: file), let list = read(data) { return list }
    throw ModelError(.unreadable, message, path: file.path)
  }
}

/// The values of a binary property list.
private struct BinaryPropertyListValues {
  private static let depthLimit = 64
  private let list: BinaryPropertyList
  /// The number of values that may still be created; collections can contain one member many times.
  private var budget = 1_000_000

  init(_ list: BinaryPropertyList) { self.list = list }

  /// Returns the value of an object; nil if it has none, or if the list is too deep or too large.
  mutating func value(_ number: Int, depth: Int) -> Any? {
    budget -= 1
    guard budget >= 0, depth < Self.depthLimit, let node = list[number] else { return nil }
    switch node {
    case .null, .uid: return nil
    case .bool(let flag): return flag
    case .int(let integer): return Int(integer)
    case .unsigned(let integer): return Double(integer)
    case .real(let real): return real
    case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): return data
    case .string(let text): return text
    case .array(let members):
      var values: [Any] = []
      for member in members {
        if let value = value(member, depth: depth + 1) { values.append(value) }
      }
      return values
    case .dictionary(let keys, let members):
      var values: [String: Any] = [:]
      for (key, member) in zip(keys, members) {
        guard case .string(let name)? = list[key] else { return nil }
        values[name] = value(member, depth: depth + 1)
      }
      return values
    }
  }
}
