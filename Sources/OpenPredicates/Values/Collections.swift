import Foundation

/// Opens the collection types that keys and arguments may hold.
package enum Collections {
  /// The members of an array or set of any kind; nil when it is not a collection.
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

  /// The values of a dictionary, which are those of any of its keys; nil for anything else.
  static func values(of any: Any?) -> [Any?]? {
    switch any {
    case let dictionary as [String: Any]: Array(dictionary.values)
    case let dictionary as NSDictionary: dictionary.allValues
    default: nil
    }
  }
}
