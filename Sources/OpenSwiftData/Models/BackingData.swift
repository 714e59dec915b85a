internal import Foundation

/// The storage for the persisted values of one model.
///
/// A model always stores its values in a managed object. If you assign backing data of a custom
/// type to a model, the model copies the values, and the model's properties never call the custom
/// type. If the custom backing data forwards to the model's own backing data, and therefore has the
/// model's identifier, the model does not change.
///
/// > Concurrency: Confined to the actor or task that uses the model.
/// > Reference: Apple, BackingData. Differs: D-442.
public protocol BackingData<Model> {
  associatedtype Model: PersistentModel

  /// Creates the storage for a new model, with the default values of the model's properties.
  ///
  /// - Parameter modelType: The type of the model.
  init(for modelType: Model.Type)

  /// The identifier of the model; `nil` if the model has no identifier yet.
  var persistentModelID: PersistentIdentifier? { get set }
  /// Additional information that the implementation stores with the values.
  var metadata: Any { get }
  /// The managed object that contains the values; `nil` for backing data of a custom type.
  var __object: __ModelObject? { get }

  /// Returns the value of a property.
  ///
  /// - Parameter forKey: The key path of the property.
  @_disfavoredOverload
  func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value
  /// Returns the destination of a required to-one relationship.
  ///
  /// - Parameter forKey: The key path of the relationship.
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value
  /// Returns the destination of an optional to-one relationship; `nil` if there is no destination.
  ///
  /// - Parameter forKey: The key path of the relationship.
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value?
  /// Returns the members of a to-many relationship.
  ///
  /// - Parameter forKey: The key path of the relationship.
  func getValue<Value: RelationshipCollection, Other>(forKey: KeyPath<Model, Value>) -> Value
  where Other == Value.PersistentElement
  /// Returns the value of a property that has a value transformer.
  ///
  /// - Parameter forKey: The key path of the property.
  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value

  /// Sets the value of a property.
  ///
  /// - Parameters:
  ///   - forKey: The key path of the property.
  ///   - newValue: The new value.
  @_disfavoredOverload
  mutating func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value)
  /// Sets the destination of a required to-one relationship.
  ///
  /// - Parameters:
  ///   - forKey: The key path of the relationship.
  ///   - newValue: The new destination.
  mutating func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  /// Sets the destination of an optional to-one relationship.
  ///
  /// - Parameters:
  ///   - forKey: The key path of the relationship.
  ///   - newValue: The new destination; `nil` to remove the destination.
  mutating func setValue<Value: PersistentModel>(
    forKey: KeyPath<Model, Value?>, to newValue: Value?)
  /// Sets the members of a to-many relationship.
  ///
  /// - Parameters:
  ///   - forKey: The key path of the relationship.
  ///   - newValue: The new members.
  mutating func setValue<Value: RelationshipCollection, Other>(
    forKey: KeyPath<Model, Value>, to newValue: Value)
  where Other == Value.PersistentElement
  /// Sets the value of a property that has a value transformer.
  ///
  /// - Parameters:
  ///   - forKey: The key path of the property.
  ///   - newValue: The new value.
  mutating func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)
}

extension BackingData {
  public var __object: __ModelObject? { nil }
}
