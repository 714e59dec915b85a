import Foundation

/// Reads the members of collections of any type.
package enum Collections {
  /// Returns the members of an array or a set of any type; nil for other values.
  package static func members(of any: Any) -> [Any?]? {
    if any is String || any is Data { return nil }
    if let value = any as? Value {
      guard case .list(let members) = value else { return nil }
      return members.map(\.anyValue)
    }
    switch any {
    case let array as [Any?]: return array
    case let set as Set<AnyHashable>: return set.map { $0.base }
    case let array as NSArray: return array.map { $0 }
    case let set as NSSet: return set.map { $0 }
    case let ordered as NSOrderedSet: return ordered.map { $0 }
    default: return nil
    }
  }

  /// Returns the values of a dictionary for all of its keys; nil for other values.
  static func values(of any: Any?) -> [Any?]? {
    switch any {
    case let dictionary as [String: Any]: Array(dictionary.values)
    case let dictionary as NSDictionary: dictionary.allValues
    default: nil
    }
  }
}
