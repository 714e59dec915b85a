package import Foundation

/// The conversion between values of a transformable attribute and the bytes that stores contain.
///
/// > Concurrency: Usable on any queue. Create a value for each call, and do not pass the value to
/// > another queue.
package enum AttributeTransformer {
  /// The library's archiver, for an attribute without a transformer name or with the name of one of
  /// the library's transformers.
  case archive
  /// A transformer that converts values to data.
  case transformer(ValueTransformer, name: String)
  /// A transformer that converts data to values.
  case unarchiver(NSSecureUnarchiveFromDataTransformer, name: String)
  /// A name without a registered transformer. The library's archiver converts the values.
  case unknown(name: String)

  /// Creates the conversion for a transformer name; a nil or empty name selects the library's
  /// archiver.
  package init(named name: String?) {
    guard let name, !name.isEmpty else {
      self = .archive
      return
    }
    switch TransformerRegistry.transformer(for: name) {
    case nil: self = .unknown(name: name)
    case is UnarchivingTransformer: self = .archive
    case let known? where type(of: known) == NSSecureUnarchiveFromDataTransformer.self:
      self = .archive
    case let known as NSSecureUnarchiveFromDataTransformer:
      self = .unarchiver(known, name: name)
    case let known?: self = .transformer(known, name: name)
    }
  }

  /// Returns the bytes of a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - classes: The classes of the application whose objects the library's archives may contain.
  /// - Throws: `ModelError` with code `.unarchivable` if the value cannot be converted to data, or
  ///   if the value could not be read back from the data.
  package func data(
    of value: Any, allowing classes: [any NSCoding.Type]
  ) throws(ModelError) -> Data {
    switch self {
    case .archive, .unknown: return try ValueArchive.data(of: value, allowing: classes)
    case .transformer(let transformer, let name):
      guard type(of: transformer).allowsReverseTransformation() else {
        throw .unarchivableValue(
          "The transformer \(name) does not allow reverse transformation, so the value could not be read back."
        )
      }
      let data = try Self.data(transformer.transformedValue(value), of: value, name)
      if transformer.reverseTransformedValue(data) == nil { throw Self.lost(value, name) }
      return data
    case .unarchiver(let transformer, let name):
      let result = transformer.reverseTransformedValue(value)
      // The transformer cannot report why it rejects a value; the library's own rules may do so.
      if result == nil { _ = try type(of: transformer).encode(value) }
      let data = try Self.data(result, of: value, name)
      if transformer.transformedValue(data) == nil { throw Self.lost(value, name) }
      return data
    }
  }

  /// Returns the value that bytes contain; nil if the bytes contain null.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - classes: The classes of the application whose objects the library's archives may contain.
  /// - Throws: `ModelError` with code `.malformed` if the bytes are damaged. Throws `ModelError`
  ///   with code `.unarchivable` if the bytes contain an object of a class that is not allowed, or
  ///   if the transformer returns nil.
  package func value(
    in data: Data, allowing classes: [any NSCoding.Type]
  ) throws(ModelError) -> Any? {
    switch self {
    case .archive, .unknown: return try ValueArchive.value(in: data, allowing: classes)
    case .transformer(let transformer, let name):
      if let value = transformer.reverseTransformedValue(data) { return value }
      throw .unarchivableValue(
        "The transformer \(name) returned nil for the stored data (\(data.count) bytes).")
    case .unarchiver(let transformer, let name):
      if let value = transformer.transformedValue(data) { return value }
      _ = try type(of: transformer).decode(data)  // Says why.
      throw .unarchivableValue(
        "The transformer \(name) returned nil for the stored data (\(data.count) bytes).")
    }
  }

  private static func data(
    _ result: Any?, of value: Any, _ name: String
  ) throws(ModelError) -> Data {
    if let data = result as? Data { return data }
    let what = result.map { "a value of type \(type(of: $0))" } ?? "nil"
    throw .unarchivableValue(
      "The transformer \(name) returned \(what) for a value of type \(type(of: value)). It must return Data."
    )
  }

  private static func lost(_ value: Any, _ name: String) -> ModelError {
    .unarchivableValue(
      "The transformer \(name) returned nil for the data that it created from a value of type \(type(of: value)), so "
        + "the value could not be read back.")
  }
}
