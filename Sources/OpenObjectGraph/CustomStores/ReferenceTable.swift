internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// The keys of the reference objects with which a custom store identifies its objects.
///
/// A positive number is its own key. The key of any other reference object is a hash of its text,
/// so the key does not change when the store is opened again.
///
/// > Concurrency: Usable on any thread.
// Invariant of the unchecked conformance: the tables are used only while `lock` is held; references
// are immutable values.
final class ReferenceTable: @unchecked Sendable {
  private let lock = NSLock()
  private var keys: [Place<AnyHashable>: Int64] = [:]
  private var references: [Place<Int64>: Any] = [:]

  /// A reference object or a key, and the root entity of its object.
  private struct Place<Content: Hashable>: Hashable {
    let root: Int
    let content: Content
  }

  /// Returns the key of a reference object, and records the key.
  func key(of reference: Any, root: Int) -> Int64 {
    let place = Place(root: root, content: Self.name(of: reference))
    return lock.withLock {
      if let key = keys[place] { return key }
      var key = Self.preferredKey(place.content)
      // The key is rarely taken by another reference object with the same hash.
      while references[Place(root: root, content: key)] != nil { key += 1 }
      keys[place] = key
      references[Place(root: root, content: key)] = reference
      return key
    }
  }

  /// Returns the reference object with the given key; nil if no reference object has the key.
  func reference(of key: Int64, root: Int) -> Any? {
    lock.withLock { references[Place(root: root, content: key)] }
  }

  /// Returns the reference object of an object; if the object has none, the number in the object's
  /// id.
  func reference(of id: NSManagedObjectID) -> Any {
    reference(of: id.key, root: id.compiledEntity.rootIndex) ?? NSNumber(value: id.key)
  }

  /// Returns the path component for the reference object with the given key in a URI.
  func uriName(of key: Int64, root: Int) -> String {
    guard let reference = reference(of: key, root: root) else { return "p\(key)" }
    let name = Self.name(of: reference)
    var text = "\(name)".replacingOccurrences(of: "%", with: "%25")
      .replacingOccurrences(of: "/", with: "%2F")
    // Only a number ends its URI as a number.
    if name.base is String, Int64(text) != nil, let first = text.utf8.first {
      text = "%" + String(first, radix: 16, uppercase: true) + text.dropFirst()
    }
    return "p" + text
  }

  /// Returns the key for the path component of a URI; nil if the component is invalid.
  func key(named name: String, root: Int) -> Int64? {
    guard name.hasPrefix("p"), name.count > 1 else { return nil }
    let text = String(name.dropFirst())
    if let number = Int64(text) { return key(of: NSNumber(value: number), root: root) }
    return text.removingPercentEncoding.map { key(of: $0, root: root) }
  }

  /// Returns the value by which reference objects are compared: a number, or the text of any other
  /// object.
  private static func name(of reference: Any) -> AnyHashable {
    // The text is exact, even if a floating-point number cannot represent the integer.
    if let number = reference as? NSNumber,
      let integer = Int64(number.stringValue) ?? Int64(exactly: number.doubleValue)
    {
      return integer
    }
    return "\(reference)"
  }

  private static func preferredKey(_ name: AnyHashable) -> Int64 {
    if let number = name.base as? Int64, number > 0, number < StoreContents.greatestKey >> 1 {
      return number
    }
    // FNV-1a, which is the same in every process; the result is above all numbers that are their
    // own keys.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(name)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Int64(hash >> 4) | StoreContents.greatestKey >> 1
  }
}
