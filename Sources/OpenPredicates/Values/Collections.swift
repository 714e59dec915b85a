import Foundation

/// Reads the members of collections of any type.
package enum Collections {
  /// Returns the members of an array, a set, an ordered set, a list value or a `MemberReading`
  /// collection; nil for any other value, including strings, data and dictionaries.
  package static func members(of any: Any) -> [Any?]? {
    if any is String || any is Data { return nil }
    if let value = any as? Value {
      guard case .list(let members) = value else { return nil }
      return members.map(\.anyValue)
    }
    switch any {
    case let array as [Any?]: return array
    case let set as Set<AnyHashable>: return set.map { $0.base }
    // The casts below would convert a dictionary with all its contents.
    case is any DictionaryReading: return nil
    case let array as NSArray: return array.map { $0 }
    case let set as NSSet: return set.map { $0 }
    case let ordered as NSOrderedSet: return ordered.map { $0 }
    case let collection as any MemberReading: return collection.readMembers
    default: return nil
    }
  }

  /// Returns the values of a dictionary for all of its keys; nil for other values.
  package static func values(of any: Any?) -> [Any?]? {
    if let dictionary = any as? any DictionaryReading { return dictionary.contents }
    // A cast to a class would convert a Swift value with all its contents.
    guard let any, type(of: any) is AnyObject.Type, let dictionary = any as? NSDictionary else {
      return nil
    }
    return dictionary.allValues
  }
}

/// A collection that is neither a Swift collection nor a collection class of Foundation.
package protocol MemberReading: AnyObject {
  /// The current members.
  var readMembers: [Any?] { get }
}

/// A Swift dictionary of any type.
///
/// Foundation returns the dictionaries inside its collections as `[AnyHashable: Any]`. A cast to
/// another dictionary type, or to a class, would convert the whole dictionary.
protocol DictionaryReading {
  /// Returns the value for the key with the given name; nil if the dictionary has no such key.
  func content(forName name: String) -> Any?
  /// The values for all keys.
  var contents: [Any?] { get }
}

extension Dictionary: DictionaryReading {
  func content(forName name: String) -> Any? {
    if let key = name as? Key, let content = self[key] { return content }
    // The key may be an object of Foundation.
    guard let key = NSString(string: name) as? Key else { return nil }
    return self[key]
  }

  var contents: [Any?] { values.map { $0 } }
}
