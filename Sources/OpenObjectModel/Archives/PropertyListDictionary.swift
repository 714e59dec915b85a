package import Foundation

/// Reads the outermost dictionary of a property list from a file that may be damaged, or made to do harm.
package enum PropertyListDictionary {
  /// The dictionary; nil for data that is no property list, or has something else outermost.
  ///
  /// Foundation reads XML only: it stops the program for some damaged binary lists.
  package static func read(_ data: Data) -> [String: Any]? {
    guard data.starts(with: Data("bplist".utf8)) else {
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
      return list as? [String: Any]
    }
    guard let list = try? BinaryPropertyList(data) else { return nil }
    var values = BinaryPropertyListValues(list)
    return values.value(list.root, depth: 0) as? [String: Any]
  }
}

/// The values of a binary property list.
private struct BinaryPropertyListValues {
  private static let depthLimit = 64
  private let list: BinaryPropertyList
  /// How many values may still be made: collections can have one member many times.
  private var budget = 1_000_000

  init(_ list: BinaryPropertyList) { self.list = list }

  /// The value of an object; nil for one without, and for a list that is too deep or too large.
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
