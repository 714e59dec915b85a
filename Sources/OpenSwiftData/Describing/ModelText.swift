internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

extension PersistentModel {
  /// A mirror with the identifier of the model and with the persisted properties that are in
  /// memory. Creating the mirror does not read a store.
  ///
  /// `@Model` adds the conformance to `CustomReflectable`, unless the class or a superclass already
  /// has the conformance.
  ///
  /// > Concurrency: Call on the actor or task that uses the model's context.
  ///
  /// This is an addition to Apple's API.
  public var customMirror: Mirror { ModelText.text(of: self).mirror }

  /// A string with the class, the identifier, the state, and the persisted properties that are in
  /// memory. Creating the text does not read a store.
  ///
  /// `@Model` adds the conformance to `CustomDebugStringConvertible`, unless the class or a
  /// superclass already has the conformance.
  ///
  /// > Concurrency: Call on the actor or task that uses the model's context.
  ///
  /// This is an addition to Apple's API.
  public var debugDescription: String { ModelText.text(of: self).description }
}

/// Creates the text that the debugger shows of a model.
///
/// The text lists the properties in the order of their declarations, with values of their declared
/// types.
private enum ModelText {
  static func text<Model: PersistentModel>(of model: Model) -> ObjectText {
    let object = model.__object
    return ObjectText(ofModel: model, in: object) { contents in
      let known = Dictionary(contents.map { ($0.name, $0.content) }) { first, _ in first }
      return ModelRecord.of(type(of: model)).metadata.compactMap { property in
        known[property.name].map { content in
          (property.name, converted(content, of: property, object))
        }
      }
    }
  }

  private static func converted(
    _ content: ObjectText.Content, of property: Schema.PropertyMetadata, _ object: __ModelObject
  ) -> ObjectText.Content {
    switch content {
    case .note, .value(nil): return content
    case .value(let id as NSManagedObjectID): return .value(PersistentIdentifier(id))
    case .value(let ids as [NSManagedObjectID]) where !ids.isEmpty:
      return .value(ids.map { PersistentIdentifier($0) })
    case .value(let stored?):
      func open<Value>(_ type: Value.Type) -> Any? {
        if let value = stored as? Value { return value }
        return try? ModelValues.decode(type, stored, property.name, of: object)
      }
      let value = _openExistential(property.valueType, do: open)
      return .value(value.flatMap(ModelCoding.unwrapped) ?? stored)
    }
  }
}
