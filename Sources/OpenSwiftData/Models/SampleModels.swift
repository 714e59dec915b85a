internal import Foundation
internal import OpenObjectGraph
internal import OpenPredicates

/// Unsaved models with sample values, which show whether a key path leads to a property itself.
///
/// Each model on the path to the property has a destination in each of its relationships, because a
/// computed property may return a value of another relationship.
///
/// > Concurrency: Confined to the thread that creates the models.
struct SampleModels {
  private struct Relation {
    let owner: __ModelObject
    let name: String
    let isToMany: Bool
    let sample: any PersistentModel
  }

  private let path: [Schema.PropertyMetadata]
  /// The models with the properties of the path. The first model is the root of the key path.
  private let models: [any PersistentModel]
  private var relations: [Relation] = []

  /// Creates the models.
  ///
  /// - Parameters:
  ///   - type: The model type that the path starts at.
  ///   - path: The properties on the path. All properties except the last one are to-one
  ///     relationships.
  init(of type: any PersistentModel.Type, along path: [Schema.PropertyMetadata]) {
    self.path = path
    let shapes = path.dropLast().compactMap { RelationshipShape($0.valueType) }
    let types = [type] + shapes.map(\.destination)
    models = types.map { Self.makeModel($0) }
    for (type, model) in zip(types, models) { addDestinations(to: model, of: type) }
    // Setting a relationship also sets its inverse in the destination.
    for (position, model) in models.enumerated().dropFirst().reversed() {
      relate(models[position - 1].__object, path[position - 1].name, to: model, toMany: false)
    }
  }

  private static func makeModel<Model: PersistentModel>(
    _ type: Model.Type
  ) -> any PersistentModel { __ModelObject.make(for: type).makeModel(type) }

  private mutating func addDestinations<Model: PersistentModel>(
    to model: any PersistentModel, of type: Model.Type
  ) {
    for property in Schema.ownProperties(of: type) {
      guard let shape = RelationshipShape(property.valueType) else { continue }
      relate(
        model.__object, property.name, to: Self.makeModel(shape.destination),
        toMany: shape.isToMany)
    }
  }

  private mutating func relate<Sample: PersistentModel>(
    _ owner: __ModelObject, _ name: String, to sample: Sample, toMany: Bool
  ) {
    let key = ModelKeys.key(named: name)
    if toMany { owner.set(key, [sample]) } else { owner.set(key, sample) }
    relations.append(Relation(owner: owner, name: name, isToMany: toMany, sample: sample))
  }

  /// Removes all relationships. Related objects without a context retain each other.
  private func dissolve() {
    for relation in relations {
      let key = ModelKeys.key(named: relation.name)
      if relation.isToMany {
        ModelRelationship.setMembers(key, of: relation.owner, to: [])
      } else {
        ModelRelationship.setDestination(key, of: relation.owner, to: nil)
      }
      relation.sample.__object.keptModel = nil
    }
  }

  // MARK: The proof

  /// Returns whether a key path gives the values of the last property, and no values if a
  /// relationship on the path has no destination.
  ///
  /// Call only one of the methods that prove a key path, and only once.
  ///
  /// - Parameter keyPath: A key path that starts at the first model's type.
  func prove(_ keyPath: AnyKeyPath) -> Bool {
    defer { dissolve() }
    guard let property = path.last, let model = models.last, hasType(of: property, keyPath) else {
      return false
    }
    return holdsForAllTransients {
      if let samples = SampleValues.values(of: property.valueType) {
        return gives(samples, of: property, in: model, keyPath) && readsPath(keyPath)
      }
      return givesDestination(of: property, in: model, keyPath) { given, destination in
        (given as? any PersistentModel)?.__object === destination
      }
    }
  }

  /// Returns whether a key path gives the persistent identifier of the last property's destination,
  /// and no value if there is no destination.
  ///
  /// - Parameter keyPath: A key path that starts at the first model's type.
  func proveIdentifier(_ keyPath: AnyKeyPath) -> Bool {
    defer { dissolve() }
    guard let property = path.last, let model = models.last else { return false }
    return holdsForAllTransients {
      givesDestination(of: property, in: model, keyPath) { given, destination in
        given as? PersistentIdentifier == PersistentIdentifier(of: destination)
      }
    }
  }

  /// Returns whether a key path gives the values of a member of the last property's structure.
  ///
  /// - Parameters:
  ///   - keyPath: A key path that starts at the first model's type.
  ///   - member: The names of the members on the way from the structure to the member.
  ///   - form: The form of the structure.
  func prove(_ keyPath: AnyKeyPath, member: [String], of form: CompositeForm) -> Bool {
    defer { dissolve() }
    guard let property = path.last, let model = models.last,
      let samples = StructureSamples(of: property, form, member: member),
      Self.wrapped(samples.type) == Self.wrapped(Swift.type(of: keyPath).valueType)
    else { return false }
    return holdsForAllTransients {
      gives(samples, of: property, in: model, keyPath) && readsPath(keyPath)
    }
  }

  /// Returns whether a condition is true, and does not depend on values that no store contains.
  private func holdsForAllTransients(_ condition: () -> Bool) -> Bool {
    guard condition() else { return false }
    return models.allSatisfy { TransientProperties(of: $0)?.satisfy(condition) ?? false }
  }

  private func hasType(of property: Schema.PropertyMetadata, _ keyPath: AnyKeyPath) -> Bool {
    let (type, given) = (property.valueType, Swift.type(of: keyPath).valueType)
    if path.count == 1 { return type == given }
    // The value of a key path over an optional relationship is optional.
    return Self.wrapped(type) == Self.wrapped(given)
  }

  private static func wrapped(_ type: any Any.Type) -> any Any.Type {
    (type as? any OptionalWrapping.Type)?.wrappedType ?? type
  }

  private func value(_ keyPath: AnyKeyPath, of model: any PersistentModel) -> Any? {
    let model: any Any = model
    return model[keyPath: keyPath].flatMap { ModelCoding.unwrapped($0) }
  }

  private func gives(
    _ samples: [Any], of property: Schema.PropertyMetadata, in model: any PersistentModel,
    _ keyPath: AnyKeyPath
  ) -> Bool {
    samples.allSatisfy { sample in
      model.__object.set(any: ModelKeys.key(named: property.name), sample)
      return Self.areEqual(
        value(keyPath, of: models[0]), value(property.keypath, of: model))
    }
  }

  private func gives(
    _ samples: StructureSamples, of property: Schema.PropertyMetadata,
    in model: any PersistentModel, _ keyPath: AnyKeyPath
  ) -> Bool {
    let (object, key) = (model.__object, ModelKeys.key(named: property.name))
    if property.valueType is any OptionalWrapping.Type {
      object.setStoredValue(key, nil)
      guard value(keyPath, of: models[0]) == nil else { return false }
    }
    return samples.all.allSatisfy { sample in
      object.setStoredValue(key, sample.structure)
      return Self.areEqual(
        value(keyPath, of: models[0]), ModelCoding.unwrapped(sample.member))
    }
  }

  private static func areEqual(_ one: Any?, _ other: Any?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    guard let one = one as? AnyHashable, let other = other as? AnyHashable else { return false }
    return one == other
  }

  private func givesDestination(
    of property: Schema.PropertyMetadata, in model: any PersistentModel, _ keyPath: AnyKeyPath,
    _ isOf: (_ given: Any, _ destination: __ModelObject) -> Bool
  ) -> Bool {
    guard let shape = RelationshipShape(property.valueType), !shape.isToMany else {
      return false
    }
    let (object, key) = (model.__object, ModelKeys.key(named: property.name))
    guard let destination = ModelRelationship.destination(key, of: object) as? __ModelObject,
      let given = value(keyPath, of: models[0]), isOf(given, destination), readsPath(keyPath)
    else { return false }
    guard shape.isOptional else { return true }
    ModelRelationship.setDestination(key, of: object, to: nil)
    defer { ModelRelationship.setDestination(key, of: object, to: destination) }
    return value(keyPath, of: models[0]) == nil
  }

  /// Returns whether the key path gives no value if one of the optional relationships on the path
  /// has no destination.
  private func readsPath(_ keyPath: AnyKeyPath) -> Bool {
    path.dropLast().enumerated().allSatisfy { position, property in
      guard RelationshipShape(property.valueType)?.isOptional == true else { return true }
      let (object, key) = (models[position].__object, ModelKeys.key(named: property.name))
      ModelRelationship.setDestination(key, of: object, to: nil)
      defer {
        ModelRelationship.setDestination(key, of: object, to: models[position + 1].__object)
      }
      return value(keyPath, of: models[0]) == nil
    }
  }
}
