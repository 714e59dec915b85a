internal import Foundation
internal import OpenObjectModel

/// Casts of fetched values to the result type of a request.
enum ResultCast {
  /// Returns the objects of an entity as results.
  ///
  /// Each object is cast only if the classes of the entity do not guarantee the result type.
  ///
  /// - Parameter classes: The classes of the objects, by entity position.
  static func objects<Result>(
    _ objects: [NSManagedObject], of entity: CompiledEntity, classes: [NSManagedObject.Type]
  ) throws -> [Result] {
    if Result.self == NSManagedObject.self {
      return unsafeBitCast(objects, to: [Result].self)
    }
    if let wanted = Result.self as? NSManagedObject.Type {
      if misfit(of: entity, classes, with: wanted) == nil {
        // All classes are checked above, and arrays of different classes have the same layout.
        return unsafeBitCast(objects, to: [Result].self)
      }
    }
    return try objects.map { object in
      guard let result = object as? Result else {
        throw mismatch(of: type(of: object), with: Result.self)
      }
      return result
    }
  }

  /// Returns values as results; casts each value only if the types differ.
  static func values<Element, Result>(_ elements: [Element]) throws -> [Result] {
    // The types are the same, but the compiler cannot see it.
    if Result.self == Element.self { return unsafeBitCast(elements, to: [Result].self) }
    return try elements.map(value)
  }

  /// Casts one value to the result type.
  static func value<Result>(_ value: Any) throws -> Result {
    if let value = value as? Result { return value }
    // Only an override of `fetch(_:)` returns an object here.
    if value is NSManagedObject { throw mismatch(of: type(of: value), with: Result.self) }
    throw mistyped(value, Result.self)
  }

  /// The error for a request whose `resultType` does not match its Swift type.
  private static func mistyped(_ value: Any, _ type: Any.Type) -> CocoaError {
    let (found, wanted) =
      switch value {
      case is NSManagedObjectID: ("object ids", "NSManagedObjectID")
      case is NSNumber: ("a count", "NSNumber")
      default: ("dictionaries", "NSDictionary")
      }
    return CocoaError.make(
      .coreData,
      "The request's resultType makes the fetch return \(found), but the request is an NSFetchRequest<\(type)>. Create it "
        + "as NSFetchRequest<\(wanted)>(entityName:).")
  }

  /// Returns the first class of an entity's objects that is not the wanted class or a subclass of
  /// it.
  static func misfit(
    of entity: CompiledEntity, _ classes: [NSManagedObject.Type],
    with wanted: NSManagedObject.Type
  ) -> NSManagedObject.Type? {
    for index in entity.subtree where !descends(classes[index], from: wanted) {
      return classes[index]
    }
    return nil
  }

  /// Whether a class is the wanted class or inherits from it.
  private static func descends(_ type: AnyClass, from wanted: AnyClass) -> Bool {
    var current: AnyClass? = type
    while let candidate = current {
      if candidate == wanted { return true }
      current = _getSuperclass(candidate)
    }
    return false
  }

  /// The error for an object whose class is not the result type.
  static func mismatch(of found: Any.Type, with wanted: Any.Type) -> CocoaError {
    CocoaError.make(
      .coreData,
      "The fetch returned \(found), but the request's result type is \(wanted). Check the class of "
        + "the entity in the model.")
  }
}
