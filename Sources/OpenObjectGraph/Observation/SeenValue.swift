internal import Foundation
internal import OpenObjectModel

/// The value of an observed property when its observers last heard of it.
///
/// Taken without reading a store, and compared after events that replace values without setting properties.
enum SeenValue {
  /// The value was not at hand: the object was a fault, or the list was not loaded.
  case unknown
  case attribute(Any?)
  case destination(NSManagedObject?)
  case members([NSManagedObject])
  case standing(Standing)

  /// Whether an object is a fault, inserted, updated or deleted.
  struct Standing: Equatable {
    let isFault: Bool
    let isUpdated: Bool
    let registration: NSManagedObject.Registration

    init(of object: NSManagedObject) {
      isFault = !object.contents.hasValues
      isUpdated = object.isMarkedUpdated
      registration = object.registration
    }
  }

  /// The present value of a key.
  init(of key: ObservedKey, in object: NSManagedObject) {
    switch key {
    case .named: self = .unknown
    case .standing: self = .standing(Standing(of: object))
    case .property(let ordinal):
      self.init(of: object.compiledEntity.properties[ordinal], in: object)
    }
  }

  private init(of property: CompiledProperty, in object: NSManagedObject) {
    if property.relationship?.isToMany == true {
      let members = object.extras?.members(property.ordinal)?.members?.objects
      self = members.map { .members($0) } ?? .unknown
    } else if !object.contents.hasValues || object.registration == .detached {
      self = .unknown
    } else if property.relationship != nil {
      self = .destination(object.destination(property.ordinal))
    } else {
      self = .attribute(object.currentValue(property))
    }
  }

  /// Whether two values are the same, as far as they can be compared; the order of members counts.
  static func isSame(_ left: SeenValue, _ right: SeenValue) -> Bool {
    switch (left, right) {
    case (.unknown, .unknown): true
    case (.attribute(let left), .attribute(let right)): isSame(left, right)
    case (.destination(let left), .destination(let right)): left === right
    case (.members(let left), .members(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0 === $1 }
    case (.standing(let left), .standing(let right)): left == right
    default: false
    }
  }

  private static func isSame(_ left: Any?, _ right: Any?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
    return (left as AnyObject) === (right as AnyObject)
  }

  /// Whether the value is not at hand.
  var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }
}
