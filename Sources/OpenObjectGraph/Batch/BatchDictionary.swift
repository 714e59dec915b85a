internal import Foundation
internal import OpenObjectModel

/// The dictionary that the handler of a batch insertion fills.
///
/// The values of properties are in an array, so that a lookup hashes only the name of the property.
/// A handler may retain the dictionary.
///
/// > Concurrency: Confined to one row of one request.
final class BatchDictionary: NSMutableDictionary {
  private let entity: CompiledEntity
  /// Values by ordinal; empty until a value is set.
  private var values: [Any?] = []
  /// The values under keys that are not names of properties.
  private var others: [AnyHashable: Any] = [:]

  init(of entity: CompiledEntity) {
    self.entity = entity
    super.init(objects: [], forKeys: [], count: 0)
  }

  required init?(coder: NSCoder) { nil }

  required convenience init(
    objects: UnsafePointer<AnyObject>?, forKeys keys: UnsafePointer<NSObject>?, count: Int
  ) {
    self.init(of: EmptyEntity.shared)
    for index in 0..<count {
      guard let object = objects?[index], let key = keys?[index] else { continue }
      setObject(object, forKey: key)
    }
  }

  /// Calls `body` with each property that was set and its value.
  ///
  /// - Throws: `CocoaError` for a key that is not the name of a property, and any error that `body`
  ///   throws.
  func forEach(_ body: (CompiledProperty, Any) throws -> Void) throws {
    if let key = others.keys.first {
      guard let name = Self.name(key) else {
        throw CocoaError.make(
          .coreData, "A batch insert dictionary has a key that is not a string: \(key).")
      }
      throw BatchValue.unknown(name, entity)
    }
    for (ordinal, value) in values.enumerated() {
      if let value { try body(entity.properties[ordinal], value) }
    }
  }

  private static func name(_ key: Any) -> String? {
    (key as? AnyHashable)?.base as? String ?? key as? String
  }

  private func ordinal(of key: Any) -> Int? { Self.name(key).flatMap { entity.ordinal(of: $0) } }

  // MARK: NSMutableDictionary

  override var count: Int { values.count { $0 != nil } + others.count }

  override func object(forKey aKey: Any) -> Any? {
    guard let ordinal = ordinal(of: aKey) else {
      return (aKey as? AnyHashable).flatMap { others[$0] }
    }
    return values.isEmpty ? nil : values[ordinal]
  }

  override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
    guard let name = aKey.base as? String, let ordinal = entity.ordinal(of: name) else {
      others[aKey] = anObject
      return
    }
    if values.isEmpty { values = Array(repeating: nil, count: entity.properties.count) }
    values[ordinal] = anObject
  }

  override func removeObject(forKey aKey: Any) {
    if let ordinal = ordinal(of: aKey) {
      if !values.isEmpty { values[ordinal] = nil }
    } else if let key = aKey as? AnyHashable {
      others[key] = nil
    }
  }

  override func keyEnumerator() -> NSEnumerator {
    var keys: [Any] = others.keys.map(\.base)
    for (ordinal, value) in values.enumerated() where value != nil {
      keys.append(NSString(string: entity.properties[ordinal].name))
    }
    return NSArray(array: keys).objectEnumerator()
  }
}
