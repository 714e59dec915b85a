@_spi(ObservableRerootKeyPath) internal import Swift

extension Schema.PropertyMetadata {
  /// Returns the metadata of the property for a class that may inherit the property.
  ///
  /// The metadata of an inherited property has a key path of the superclass, such as `\Base.name`.
  /// The key path of the result is equal to `\Subclass.name`, and can be cast to
  /// `PartialKeyPath<Subclass>`.
  ///
  /// - Parameter type: The class that declares or inherits the property.
  func inherited(by type: any PersistentModel.Type) -> Schema.PropertyMetadata {
    guard let base = Swift.type(of: keypath).rootType as? any PersistentModel.Type, base != type,
      Self.derives(type, from: base)
    else { return self }
    return Schema.PropertyMetadata(
      name: name, keypath: keyPath(from: type), defaultValue: defaultValue, metadata: metadata)
  }

  private static func derives<Base: PersistentModel>(
    _ type: any PersistentModel.Type, from base: Base.Type
  ) -> Bool { type is Base.Type }

  private func keyPath<Model: PersistentModel>(from type: Model.Type) -> AnyKeyPath {
    // The function changes the root of a key path to a subclass. It is part of the binary interface
    // of the standard library.
    _rerootKeyPath(keypath, to: type)
  }
}
