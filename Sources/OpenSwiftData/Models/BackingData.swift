internal import Foundation

/// The values of one model.
///
/// > Concurrency: Confined, as the model is.
/// > Reference: Apple, BackingData.
public protocol BackingData<Model> {
  associatedtype Model: PersistentModel

  /// Makes values for a new model: the defaults of its schema.
  init(for modelType: Model.Type)

  /// The model's identifier; nil before it has one.
  var persistentModelID: PersistentIdentifier? { get set }
  /// Anything that the implementation keeps with the values.
  var metadata: Any { get }
  /// The managed object that has the values; nil for values that lie elsewhere.
  var __object: __ModelObject? { get }

  func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value
  func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value?
  func getValue<Value: RelationshipCollection, Other>(forKey: KeyPath<Model, Value>) -> Value
  where Other == Value.PersistentElement
  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value

  mutating func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value)
  mutating func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  mutating func setValue<Value: PersistentModel>(
    forKey: KeyPath<Model, Value?>, to newValue: Value?)
  mutating func setValue<Value: RelationshipCollection, Other>(
    forKey: KeyPath<Model, Value>, to newValue: Value)
  where Other == Value.PersistentElement
  mutating func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)
}

extension BackingData {
  public var __object: __ModelObject? { nil }
}
