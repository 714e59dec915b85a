internal import Foundation
internal import OpenObjectGraph
internal import OpenPredicates

/// Distinguishes key paths to persisted properties from key paths to computed properties that read
/// a persisted property.
///
/// A key path to `title.uppercased()` reads the same persisted property as a key path to `title`,
/// but returns other values.
enum KeyPathProof {
  /// Returns the name of the property, or of the member of a structure, that a key path leads to.
  ///
  /// - Parameters:
  ///   - keyPath: A key path that reads the property.
  ///   - property: The name of the property, with dots between the steps.
  ///   - type: The model type that the key path starts at.
  /// - Returns: The name, with dots between the steps; `nil` for computed values and for values
  ///   that are not stored.
  static func name<Model: PersistentModel>(
    of keyPath: AnyKeyPath, reading property: String, from type: Model.Type
  ) -> String? {
    if leads(keyPath, to: property, from: type) { return property }
    return identifier(keyPath, reading: property, from: type)
      ?? member(keyPath, of: property, from: type)
  }

  /// Returns the name of the attribute in which a key path begins, without evaluating the key path.
  ///
  /// The getter of a computed member could trap for a value that was never stored.
  ///
  /// - Parameters:
  ///   - keyPath: A key path.
  ///   - type: The model type that the key path starts at.
  /// - Returns: The name of the attribute, after the names of to-one relationships that lead to it,
  ///   with dots between the names; `nil` if the steps of the key path do not name an attribute.
  static func attribute<Model: PersistentModel>(
    in keyPath: AnyKeyPath, from type: Model.Type
  ) -> String? {
    let (names, type, steps) = crossing(keyPath, from: type)
    guard let property = property(of: type, beginning: steps),
      RelationshipShape(property.valueType)?.isToMany != true
    else { return nil }
    return (names + [property.name]).joined(separator: ".")
  }

  /// Follows the steps of a key path over to-one relationships.
  ///
  /// - Returns: The names of the relationships, the model type that they lead to, and the remaining
  ///   steps.
  private static func crossing(
    _ keyPath: AnyKeyPath, from type: any PersistentModel.Type
  ) -> (names: [String], type: any PersistentModel.Type, steps: ArraySlice<Substring>) {
    var (names, type, steps) = ([String](), type, steps(of: keyPath)[...])
    while let property = property(of: type, beginning: steps),
      let next = destination(of: property.valueType)
    {
      names.append(property.name)
      steps = steps.dropFirst(Self.steps(of: property.keypath).count)
      type = next
    }
    return (names, type, steps)
  }

  /// Returns the property of a model type in which the steps of a key path begin.
  private static func property(
    of type: any PersistentModel.Type, beginning steps: ArraySlice<Substring>
  ) -> Schema.PropertyMetadata? {
    Schema.ownProperties(of: type).first { property in
      let way = Self.steps(of: property.keypath)
      return !way.isEmpty && steps.starts(with: way)
    }
  }

  /// Returns the name of the column that contains a value.
  ///
  /// - Parameters:
  ///   - name: A name from ``name(of:reading:from:)``.
  ///   - type: The model type that the name starts at.
  /// - Returns: The name of the column; `nil` for a value in several columns.
  static func column<Model: PersistentModel>(named name: String, from type: Model.Type) -> String? {
    let names = name.split(separator: ".").map(String.init)
    guard let property = declared(names, from: type)?.last, let last = names.last,
      let form = try? columns(of: property)
    else { return name }
    // The column of an enumeration with raw values has the property's name as a second step.
    return form.kind.isRawValues ? name + "." + last : nil
  }

  /// Returns whether a key path leads to values that are encoded into one column.
  static func isEncoded<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, in type: Model.Type
  ) -> Bool {
    guard let name = ModelKeys.name(of: keyPath, in: type),
      let property = declared(name.split(separator: ".").map(String.init), from: type)?.last
    else { return false }
    return isEncoded(property)
  }

  private static func isEncoded(_ property: Schema.PropertyMetadata) -> Bool {
    let given = property.metadata as? Schema.Attribute
    if given?.isTransformable == true { return true }
    let type = property.valueType
    // A relationship is not encoded, and a schema does not accept a type without a form.
    guard RelationshipShape(type) == nil, let form = try? StoredForm.of(type) else { return false }
    switch form.content {
    case .scalar: return false
    case .json: return true
    case .composite, .archive: return given?.isCodable == true
    }
  }

  /// Returns whether stores contain the members of a type's values, and not the raw values.
  static func areMembersStored(of type: any Any.Type) -> Bool {
    // A schema does not accept a type without a form.
    guard let form = try? StoredForm.of(type).composite else { return false }
    return !form.kind.isRawValues
  }

  /// Returns whether a key path leads to a property itself, and not to a value that is computed
  /// from it.
  ///
  /// - Parameters:
  ///   - keyPath: A key path that reads the property.
  ///   - name: The name of the property, with dots between the steps.
  ///   - type: The model type that the key path starts at.
  private static func leads<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, to name: String, from type: Model.Type
  ) -> Bool {
    let names = name.split(separator: ".").map(String.init)
    guard let declared = declared(names, from: type) else { return false }
    let (steps, way) = (steps(of: keyPath), declared.flatMap { Self.steps(of: $0.keypath) })
    if steps == way { return true }
    return steps.count == way.count
      && leads(
        keyPath, over: declared,
        samples: { SampleModels(of: type, along: declared).prove(keyPath) })
  }

  /// Returns whether a key path whose steps have other getters starts with declared properties.
  ///
  /// An inherited property has another getter. Generic code that uses a protocol's requirement does
  /// not show which property implements the requirement.
  ///
  /// - Parameter samples: Compares values of the key path with values of the properties. The
  ///   function calls this closure only for a key path of generic code.
  private static func leads(
    _ keyPath: AnyKeyPath, over declared: [Schema.PropertyMetadata], samples: () -> Bool
  ) -> Bool {
    switch KeyPathSteps.comparison(of: keyPath, with: declared.map(\.keypath)) {
    case .same: true
    case .different: false
    case .unknown: samples()
    }
  }

  /// Returns the name of a persistent identifier that a key path leads to.
  ///
  /// A persistent identifier is recorded as `objectID`. If the model has a property with this name,
  /// the last name is `self`, which always refers to the object.
  ///
  /// - Returns: The name, with dots between the steps; `nil` for a key path to another value.
  private static func identifier<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, reading name: String, from type: Model.Type
  ) -> String? {
    let names = name.split(separator: ".").map(String.init)
    guard names.last == "objectID", Swift.type(of: keyPath).valueType is any IdentifierOrNone.Type
    else { return nil }
    let relationships = Array(names.dropLast())
    guard let declaredWay = declared(relationships, from: type) else { return nil }
    // Without a relationship, an optional identifier is a computed property.
    if declaredWay.isEmpty, Swift.type(of: keyPath).valueType is any OptionalWrapping.Type {
      return nil
    }
    let (steps, way) = (steps(of: keyPath), declaredWay.flatMap { Self.steps(of: $0.keypath) })
    guard
      steps.starts(with: way)
        || steps.count == way.count + 1
          && leads(
            keyPath, over: declaredWay,
            samples: { SampleModels(of: type, along: declaredWay).proveIdentifier(keyPath) })
    else { return nil }
    if declared(names, from: type) == nil { return name }
    return (relationships + ["self"]).joined(separator: ".")
  }

  /// Returns the name of the structure's member that a key path leads to.
  private static func member<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, of name: String, from type: Model.Type
  ) -> String? {
    let names = name.split(separator: ".").map(String.init)
    guard let declared = declared(names, from: type), let last = declared.last,
      let form = try? columns(of: last)
    else { return nil }
    let (steps, way) = (steps(of: keyPath), declared.flatMap { Self.steps(of: $0.keypath) })
    guard steps.count > way.count else { return nil }
    let members = steps[way.count...].map(String.init)
    guard let path = form.path(to: members),
      steps.starts(with: way)
        || leads(
          keyPath, over: declared,
          samples: {
            SampleModels(of: type, along: declared).prove(keyPath, member: members, of: form)
          })
    else { return nil }
    return ([name] + path).joined(separator: ".")
  }

  /// Returns the name of the member of a property's structure that a key path leads to, without
  /// evaluating the key path.
  ///
  /// For an inherited property, a key path of a subclass has another getter than a key path of the
  /// superclass, so the function compares the key path with key paths to the stored members.
  ///
  /// - Returns: The name, with dots between the steps; `nil` for a key path to another value.
  static func member<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, from type: Model.Type
  ) -> String? {
    let members = steps(of: keyPath).dropFirst().map(String.init)
    guard !members.isEmpty else { return nil }
    for property in Schema.ownProperties(of: type) {
      guard let path = (try? columns(of: property))?.path(to: members),
        Self.keyPath(from: property.keypath, over: members) == keyPath
      else { continue }
      return ([property.name] + path).joined(separator: ".")
    }
    return nil
  }

  /// Returns a key path that continues with stored properties of structures; `nil` if a structure
  /// does not have a property.
  private static func keyPath(from start: AnyKeyPath, over members: [String]) -> AnyKeyPath? {
    var keyPath: AnyKeyPath? = start
    for member in members {
      guard let known = keyPath else { return nil }
      let step = TypeFields.keyPath(to: member, of: Swift.type(of: known).valueType)
      keyPath = step.flatMap { known.appending(path: $0) }
    }
    return keyPath
  }

  /// Returns whether a key path starts with a computed property of the model.
  ///
  /// Such a key path is not evaluated, because the getter could trap for an empty model.
  static func startsAtComputed<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, from type: Model.Type
  ) -> Bool {
    // The persistent identifier is not a property of the schema.
    guard !(Swift.type(of: keyPath).valueType is any IdentifierOrNone.Type) else { return false }
    return Schema.ownProperties(of: type).allSatisfy { property in
      KeyPathSteps.comparison(of: keyPath, with: [property.keypath]) == .different
    }
  }

  /// Returns whether a key path may lead to a computed value inside an inherited attribute.
  ///
  /// Such a key path is not evaluated, because the getter of a computed member could trap for a
  /// value that was never stored.
  static func mayReadInside<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, from type: Model.Type
  ) -> Bool {
    let (_, type, steps) = crossing(keyPath, from: type)
    guard steps.count > 1, let first = steps.first else { return false }
    let members = steps.dropFirst().map(String.init)
    return Schema.ownProperties(of: type).contains { property in
      destination(of: property.valueType) == nil && first.hasSuffix(" (\(property.valueType))>")
        && (try? columns(of: property))?.path(to: members) == nil
    }
  }

  /// Returns the columns of a property; `nil` for a property with one column.
  private static func columns(
    of property: Schema.PropertyMetadata
  ) throws(ModelValueError) -> CompositeForm? {
    if isEncoded(property) { return nil }
    return try StoredForm.of(property.valueType).composite
  }

  /// Returns the schema's properties along a path of names.
  private static func declared(
    _ names: [String], from type: any PersistentModel.Type
  ) -> [Schema.PropertyMetadata]? {
    var type: (any PersistentModel.Type)? = type
    var properties: [Schema.PropertyMetadata] = []
    for name in names {
      guard let model = type,
        let property = Schema.ownProperties(of: model).first(where: { $0.name == name })
      else { return nil }
      properties.append(property)
      type = destination(of: property.valueType)
    }
    return properties
  }

  private static func destination(of type: Any.Type) -> (any PersistentModel.Type)? {
    if let optional = type as? any OptionalWrapping.Type {
      return destination(of: optional.wrappedType)
    }
    return type as? any PersistentModel.Type
  }

  /// Returns the steps in the description of a key path, such as names of properties and addresses
  /// of getters.
  private static func steps(of keyPath: AnyKeyPath) -> [Substring] {
    let steps = keyPath.debugDescription.split(separator: ".").dropFirst()
    return steps.map { step in
      var step = step
      while let last = step.last, last == "?" || last == "!" { step.removeLast() }
      return step
    }
  }
}

extension CompositeForm {
  /// Returns the names of the elements on the path from the structure to a column.
  ///
  /// - Parameter steps: The members of the structure, as in the description of a key path.
  /// - Returns: The names; `nil` for a computed member, and for a value that does not have exactly
  ///   one column.
  fileprivate func path(to steps: [String]) -> [String]? {
    guard case .structure = kind, let step = steps.first,
      let element = elements.first(where: { $0.name == step })
    else { return nil }
    switch element.content {
    case .scalar: return steps.count == 1 ? [step] : nil
    case .archive, .json: return nil
    case .composite(let inner):
      if steps.count > 1 { return inner.path(to: Array(steps.dropFirst())).map { [step] + $0 } }
      return inner.kind.isRawValues ? [step, step] : nil
    }
  }
}

/// A persistent identifier or an optional persistent identifier.
private protocol IdentifierOrNone {}

extension PersistentIdentifier: IdentifierOrNone {}
extension Optional: IdentifierOrNone where Wrapped == PersistentIdentifier {}
