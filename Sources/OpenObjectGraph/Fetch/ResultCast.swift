internal import Foundation
internal import OpenObjectModel

/// The casts of what was found to the result type of a request.
enum ResultCast {
  /// Objects of an entity as results; without a look at each where the classes of the entity say enough.
  ///
  /// - Parameter classes: The objects' classes, by entity position.
  static func objects<Result>(
    _ objects: [NSManagedObject], of entity: CompiledEntity, classes: [NSManagedObject.Type]
  ) throws -> [Result] {
    if Result.self == NSManagedObject.self {
      return unsafeBitCast(objects, to: [Result].self)
    }
    if let wanted = Result.self as? NSManagedObject.Type {
      if misfit(of: entity, classes, with: wanted) == nil {
        // Every object's class is checked above; an array of one class has the layout of the other's.
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

  /// Values as results; without a look at each when that is their own type.
  static func values<Element, Result>(_ elements: [Element]) throws -> [Result] {
    // The types are the same, which only the check at run time can show the compiler.
    if Result.self == Element.self { return unsafeBitCast(elements, to: [Result].self) }
    return try elements.map(value)
  }

  /// A value as a result.
  static func value<Result>(_ value: Any) throws -> Result {
    guard let value = value as? Result else { throw mistyped(value, Result.self) }
    return value
  }

  /// The error of a request whose result type and Swift type do not fit.
  private static func mistyped(_ value: Any, _ type: Any.Type) -> CocoaError {
    let (found, wanted) =
      switch value {
      case is NSManagedObjectID: ("object ids", "NSManagedObjectID")
      case is NSNumber: ("a count", "NSNumber")
      default: ("dictionaries", "NSDictionary")
      }
    return CocoaError.make(
      .coreData,
      "The fetch returns \(found), as the request's resultType says, but the request is an NSFetchRequest<\(type)>. Make it "
        + "as NSFetchRequest<\(wanted)>(entityName:).")
  }

  /// The first class of an entity's objects that does not descend from a class; nil when all do.
  static func misfit(
    of entity: CompiledEntity, _ classes: [NSManagedObject.Type],
    with wanted: NSManagedObject.Type
  ) -> NSManagedObject.Type? {
    for index in entity.subtree where !descends(classes[index], from: wanted) {
      return classes[index]
    }
    return nil
  }

  /// Whether a class is another one or descends from it.
  private static func descends(_ type: AnyClass, from wanted: AnyClass) -> Bool {
    var current: AnyClass? = type
    while let candidate = current {
      if candidate == wanted { return true }
      current = _getSuperclass(candidate)
    }
    return false
  }

  /// The error of an object that is no result.
  static func mismatch(of found: Any.Type, with wanted: Any.Type) -> CocoaError {
    CocoaError.make(
      .coreData,
      "The fetch returned \(found), but the request's result type is \(wanted). Check the class that "
        + "the model names for the entity.")
  }
}
