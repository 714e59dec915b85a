internal import Foundation
internal import OpenObjectModel

/// The value of an observed property when its observers were last notified.
///
/// The value is taken without reading a store. After an event that replaces values without setting
/// properties, the value is compared with the present value.
enum SeenValue {
  /// The value is not available: the object is a fault, or the list is not loaded.
  case unknown
  case attribute(Any?)
  case destination(NSManagedObject?)
  case members([NSManagedObject])
  case standing(Standing)

  /// The state of an object: whether it is a fault, inserted, updated or deleted.
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

  /// Takes the present value of a property or of the standing.
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
      self = .attribute(PropertyValue.current(property, of: object))
    }
  }

  /// Returns whether two values are equal; false if they cannot be compared.
  ///
  /// The order of members is significant.
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

  /// Whether the value is not available.
  var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }
}
