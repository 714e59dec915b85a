@_spi(Reflection) internal import Swift

/// The stored properties of a model object that no store contains, such as the properties with
/// `@Transient`.
///
/// > Concurrency: Confined to the thread that created the model.
struct TransientProperties {
  private struct Property {
    let type: any Any.Type
    let offset: Int
    let samples: [Any]
  }

  /// The flag of the reflection function for classes. Its constant is a mutable variable.
  private static let ofClass = _EachFieldOptions(rawValue: 1)

  private let model: AnyObject
  private var properties: [Property] = []

  /// Finds the properties of a model, including those of its superclasses.
  ///
  /// The result is `nil` if a property has a type without sample values. A class without `@Model`
  /// has no properties, because the library does not know which of them are stored.
  init?(of model: any PersistentModel) {
    self.model = model
    var fields: [(name: String, offset: Int, type: any Any.Type)] = []
    _forEachField(of: type(of: model), options: Self.ofClass) { name, offset, type, _ in
      fields.append((String(cString: name), offset, type))
      return true
    }
    guard fields.contains(where: { $0.name == "_$backingData" }) else { return }
    for field in fields where !Self.isStorage(field.name, field.type) {
      guard let samples = Self.samples(of: field.type) else { return nil }
      properties.append(Property(type: field.type, offset: field.offset, samples: samples))
    }
  }

  /// Returns whether instances of a model class have properties that no store contains.
  static func exist(in type: AnyClass) -> Bool {
    var isFound = false
    _forEachField(of: type, options: ofClass) { name, _, type, _ in
      isFound = !isStorage(String(cString: name), type)
      return !isFound
    }
    return isFound
  }

  /// Returns whether `@Model` added a property to the class.
  private static func isStorage(_ name: String, _ type: any Any.Type) -> Bool {
    name.hasPrefix("_$") || "\(type)".contains("_SwiftDataNoType")
  }

  /// Returns values of a type; `nil` for types whose values cannot be created, and for classes,
  /// because a reference may be weak.
  private static func samples(of type: any Any.Type) -> [Any]? {
    let (content, isOptional) = StoredFormBuilder.unwrapped(type)
    if content is AnyClass { return nil }
    if let samples = SampleValues.values(of: type) { return samples }
    if let collection = type as? any SampledCollection.Type { return collection.samples }
    func placeholder<Value>(_ type: Value.Type) -> Any? { Placeholder.known(type) }
    guard content is any Decodable.Type, let value = _openExistential(content, do: placeholder)
    else { return nil }
    return isOptional ? [Any?.none as Any, value] : [value]
  }

  /// Returns whether a condition is true for different values of the properties.
  func satisfy(_ condition: () -> Bool) -> Bool {
    for property in properties {
      for sample in property.samples {
        set(property, to: sample)
        if !condition() { return false }
      }
    }
    // A condition may be false only if several properties do not have their default values.
    for round in 0..<(properties.map(\.samples.count).max() ?? 0) {
      for property in properties {
        set(property, to: property.samples[round % property.samples.count])
      }
      if !condition() { return false }
    }
    return true
  }

  private func set(_ property: Property, to sample: Any) {
    let place = Unmanaged.passUnretained(model).toOpaque() + property.offset
    func assign<Value>(_ type: Value.Type) {
      var value = Any?.none as? Value
      if let content = ModelCoding.unwrapped(sample) { value = content as? Value }
      if let value { place.assumingMemoryBound(to: type).pointee = value }
    }
    _openExistential(property.type, do: assign)
  }
}

/// A collection type of the standard library.
private protocol SampledCollection {
  /// An empty collection, and a collection with one element; `nil` for elements without samples.
  static var samples: [Any]? { get }
}

extension SampledCollection {
  fileprivate static func sample<Value>(_ type: Value.Type) -> Value? {
    SampleValues.values(of: type)?.last as? Value
  }
}

extension Array: SampledCollection {
  fileprivate static var samples: [Any]? {
    guard let element = sample(Element.self) else { return nil }
    return [[Element](), [element]]
  }
}

extension Set: SampledCollection {
  fileprivate static var samples: [Any]? {
    guard let element = sample(Element.self) else { return nil }
    return [Set<Element>(), Set([element])]
  }
}

extension Dictionary: SampledCollection {
  fileprivate static var samples: [Any]? {
    guard let key = sample(Key.self), let value = sample(Value.self) else { return nil }
    return [[Key: Value](), [key: value]]
  }
}
