public import Foundation
public import OpenPredicates

/// A position in the persistent histories of one or more stores. In each store, the position is
/// immediately after a specific transaction.
///
/// Tokens for the same position are equal, even if different coordinators returned them. Tokens can
/// be archived.
///
/// > Concurrency: Immutable; usable on any thread.
/// > Reference: Apple, NSPersistentHistoryToken.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
  /// The number of the last transaction before the position, by store UUID.
  package let numbers: [String: Int64]
  private static let key = "NSPersistentHistoryTokenDictionary"

  /// Creates a token from the number of the last transaction in each store, by store UUID.
  package init(_ numbers: [String: Int64]) {
    self.numbers = numbers
    super.init()
  }

  /// Whether tokens support secure coding: always `true`.
  public static var supportsSecureCoding: Bool { true }

  /// Decodes a token from an archive.
  ///
  /// Returns nil if the archive does not contain a valid token.
  ///
  /// - Parameter coder: The archive.
  public init?(coder: NSCoder) {
    let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
    guard let stored = coder.decodeObject(of: classes, forKey: Self.key) as? NSDictionary else {
      return nil
    }
    var numbers: [String: Int64] = [:]
    for (store, number) in stored {
      guard let store = store as? String, let number = (number as? NSNumber)?.int64Value else {
        return nil
      }
      numbers[store] = number
    }
    self.numbers = numbers
    super.init()
  }

  /// Encodes the token as a dictionary of store UUIDs and transaction numbers.
  public func encode(with coder: NSCoder) {
    let stored = NSMutableDictionary()
    for (store, number) in numbers {
      stored.setObject(NSNumber(value: number), forKey: NSString(string: store))
    }
    coder.encode(stored, forKey: Self.key)
  }

  /// Returns the token itself, because tokens are immutable.
  ///
  /// - Returns: The token.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether another object is a token for the same position.
  ///
  /// - Parameter object: The object to compare.
  /// - Returns: `true` if the object is a token with the same transaction number for each store.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.numbers == numbers
  }

  /// A hash value; tokens for the same position have equal hash values.
  public override var hash: Int { numbers.hashValue }

  /// A description with the store UUIDs and transaction numbers.
  public override var description: String {
    let places = numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "<NSPersistentHistoryToken \(places.joined(separator: ", "))>"
  }

  /// Whether the token precedes the first transaction of each of its stores.
  var isInitial: Bool { numbers.values.allSatisfy { $0 == 0 } }
}

extension NSPersistentHistoryToken: ObjectReferencing {
  /// The reference that represents the token in predicates. The key of the reference is the
  /// transaction number.
  ///
  /// If the token contains several stores, the key is the transaction number of the store with the
  /// lowest UUID. The property is never nil.
  public var objectReference: ObjectReference? {
    let number = numbers.min { $0.key < $1.key }?.value
    return ObjectReference(entityToken: 0, storeToken: 0, key: number ?? 0)
  }
}
