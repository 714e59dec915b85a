internal import Foundation
internal import OpenObjectModel
internal import Synchronization

/// Encodes and decodes transformable attributes with the transformers that the model names.
enum AttributeTransform {
  /// Decodes an attribute's bytes.
  ///
  /// - Throws: `ModelError` naming the entity and the attribute if the bytes cannot be decoded. The
  ///   error is logged once for each attribute.
  static func value(
    from data: Data, _ property: CompiledProperty, of entity: CompiledEntity
  ) throws(ModelError) -> Any? {
    do throws(ModelError) {
      return try transformer(of: property).value(in: data, allowing: classes(of: property))
    } catch {
      let failure = ModelError(
        error.code, "A value of \(entity.name).\(property.name) cannot be read: \(error.message)",
        entityName: entity.name, propertyName: property.name)
      UnreadableValues.report(property, of: entity, failure.message)
      throw failure
    }
  }

  /// Encodes a value.
  ///
  /// - Throws: `ModelError` for a value that could not be decoded again.
  static func data(from value: Any, _ property: CompiledProperty) throws(ModelError) -> Data {
    try transformer(of: property).data(of: value, allowing: classes(of: property))
  }

  private static func transformer(of property: CompiledProperty) -> AttributeTransformer {
    let transformer = AttributeTransformer(named: property.attribute?.transformerName)
    if case .unknown(let name) = transformer { UnknownTransformers.report(name, property) }
    return transformer
  }

  /// The application's classes that an archive may contain: the class that the model names.
  private static func classes(of property: CompiledProperty) -> [any NSCoding.Type] {
    guard let name = property.attribute?.valueClassName,
      let type = CodableClasses.type(named: name)
    else { return [] }
    return [type]
  }
}

/// The log of attributes with stored values that could not be decoded.
///
/// > Concurrency: Any thread; a lock protects the state.
package enum UnreadableValues {
  private struct State {
    var known: Set<UInt64> = []
    var messages: [String] = []
  }

  private static let state = Mutex(State())

  /// The logged messages, one for each attribute.
  package static var messages: [String] { state.withLock { $0.messages } }

  /// Logs that an attribute has a value that cannot be decoded, once for each attribute.
  static func report(
    _ property: CompiledProperty, of entity: CompiledEntity, _ description: String
  ) {
    let attribute = UInt64(entity.token) << 32 | UInt64(property.ordinal)
    let message =
      "\(description) The value is read as nil, and saves throw an error. Further values of this attribute are not logged."
    let isNew = state.withLock { state in
      guard state.known.insert(attribute).inserted else { return false }
      state.messages.append(message)
      return true
    }
    if isNew { GraphLog.error(message) }
  }
}

/// The log of value transformers that a model names but that are not registered.
///
/// > Concurrency: Any thread; a lock protects the state.
package enum UnknownTransformers {
  private static let known = Mutex<[String: String]>([:])

  /// The logged messages, one for each transformer name.
  package static var messages: [String] { known.withLock { Array($0.values) } }

  /// Logs that a transformer is missing, once for each name.
  static func report(_ name: String, _ property: CompiledProperty) {
    let message: String? = known.withLock { known in
      guard known[name] == nil else { return nil }
      let message =
        "The attribute \(property.name) uses the value transformer \(name), which is not registered. The attribute's values "
        + "are archived as if it had no transformer. Register the transformer with "
        + "ValueTransformer.setValueTransformer(_:forName:)."
      known[name] = message
      return message
    }
    if let message { GraphLog.error(message) }
  }
}

/// The application's classes that support coding, by the names that models use.
///
/// A lookup searches all type records. Therefore missing classes are cached, too.
///
/// > Concurrency: Any thread; a lock protects the state.
private enum CodableClasses {
  private static let known = Mutex<[String: AnyClass?]>([:])

  static func type(named name: String) -> (any NSCoding.Type)? {
    // Foundation's classes need no lookup. Names such as `Array<String>` are not names of classes.
    if name.isEmpty || name.hasPrefix("NS") || name.contains("<") { return nil }
    if let type = known.withLock({ $0[name] }) { return type as? any NSCoding.Type }
    let type: AnyClass? = ClassLookup.codableClass(named: name)
    known.withLock { $0[name] = type }
    return type as? any NSCoding.Type
  }
}
