internal import Foundation
internal import OpenObjectGraph
internal import OpenPredicates

/// Tells key paths to persisted properties from those to computed properties that read one.
///
/// Both read the same property of a model that only notes what is read, but `title.uppercased()` is not `title`.
enum KeyPathProof {
  /// Whether a key path gives the values of a property.
  ///
  /// - Parameters:
  ///   - keyPath: A key path that reads the property.
  ///   - name: The property, with dots between the steps.
  ///   - type: The model that the key path starts at.
  static func leads<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, to name: String, from type: Model.Type
  ) -> Bool {
    let names = name.split(separator: ".").map(String.init)
    if names.last == "objectID" {
      return Swift.type(of: keyPath).valueType is any IdentifierOrNone.Type
    }
    guard let declared = declaredPaths(names, from: type), let last = declared.last else {
      return false
    }
    let steps = steps(of: keyPath)
    if steps == declared.flatMap(Self.steps) { return true }
    // A key path that generic code made by the requirement of a protocol.
    guard declared.count == 1, steps.count == 1 else { return false }
    return givesSameValues(keyPath, last, type, names[0])
  }

  /// The key paths of a schema on the way to a property.
  private static func declaredPaths(
    _ names: [String], from type: any PersistentModel.Type
  ) -> [AnyKeyPath]? {
    var type: (any PersistentModel.Type)? = type
    var paths: [AnyKeyPath] = []
    for name in names {
      guard let model = type,
        let property = Schema.ownProperties(of: model).first(where: { $0.name == name })
      else { return nil }
      paths.append(property.keypath)
      type = destination(of: Swift.type(of: property.keypath).valueType)
    }
    return paths
  }

  private static func destination(of type: Any.Type) -> (any PersistentModel.Type)? {
    if let optional = type as? any OptionalWrapping.Type {
      return destination(of: optional.wrappedType)
    }
    return type as? any PersistentModel.Type
  }

  /// What a key path's description says of each of its steps, such as the address of a getter.
  private static func steps(of keyPath: AnyKeyPath) -> [Substring] {
    let steps = keyPath.debugDescription.split(separator: ".").dropFirst()
    return steps.map { step in
      var step = step
      while let last = step.last, last == "?" || last == "!" { step.removeLast() }
      return step
    }
  }

  /// Whether two key paths give the same values of a model with values that tell calculations apart.
  private static func givesSameValues<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, _ declared: AnyKeyPath, _ type: Model.Type, _ name: String
  ) -> Bool {
    let valueType = Swift.type(of: declared).valueType
    guard Swift.type(of: keyPath).valueType == valueType else { return false }
    guard let samples = samples(of: valueType) else {
      // Nothing but a copy can be made of a relationship.
      return destination(of: valueType) != nil
    }
    let object = __ModelObject.make(for: type)
    let model: any Any = object.makeModel(type)
    return samples.allSatisfy { sample in
      object.set(any: ModelKeys.key(named: name), sample)
      guard let one = model[keyPath: keyPath] as? AnyHashable,
        let other = model[keyPath: declared] as? AnyHashable
      else { return false }
      return one == other
    }
  }

  /// Values of a type; nil for a type of which none are known.
  private static func samples(of type: Any.Type) -> [Any]? {
    if let optional = type as? any OptionalWrapping.Type {
      return samples(of: optional.wrappedType)
    }
    if type == String.self { return ["aBé 1", "zY-2"] }
    if type == Int.self { return [-7, 1_003] }
    if type == Double.self { return [-7.25, 1_003.5] }
    if type == Bool.self { return [true, false] }
    if type == Date.self {
      return [-7.25, 1_003.5].map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    if type == UUID.self { return [UUID(), UUID()] }
    return nil
  }
}

/// ``PersistentIdentifier``, or an optional one.
private protocol IdentifierOrNone {}

extension PersistentIdentifier: IdentifierOrNone {}
extension Optional: IdentifierOrNone where Wrapped == PersistentIdentifier {}
