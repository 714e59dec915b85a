public import OpenObjectModel

extension Schema.Attribute {
  /// An option of an attribute.
  ///
  /// > Concurrency: Any thread.
  /// > Reference: Apple, Schema.Attribute.Option.
  public struct Option: Codable, Hashable, Sendable {
    enum Kind: Codable, Hashable, Sendable {
      case unique, externalStorage, ephemeral, preserveValueOnDeletion, spotlight
      case allowsCloudEncryption, codable
      case transformable(String)
    }

    let kind: Kind

    /// Makes the value unique among the models of the type. If a new model has the same value as a
    /// stored model, a save updates the stored model instead of inserting the new model.
    public static let unique = Option(kind: .unique)
    /// Stores large binary data in separate files.
    public static let externalStorage = Option(kind: .externalStorage)
    /// Tracks changes to the value without storing the value.
    public static let ephemeral = Option(kind: .ephemeral)
    /// Preserves the value of a deleted model in the history.
    public static let preserveValueOnDeletion = Option(kind: .preserveValueOnDeletion)
    /// Includes a string property in full-text searches. See ``FetchDescriptor/search``.
    public static let spotlight = Option(kind: .spotlight)
    /// Permits CloudKit to encrypt the value. The option has no effect on this platform.
    public static let allowsCloudEncryption = Option(kind: .allowsCloudEncryption)
    /// Stores the encoded value in one column. Without this option, each stored property of a
    /// structure has a separate column.
    public static let codable = Option(kind: .codable)

    /// Returns an option that converts the values for the store with a named value transformer.
    ///
    /// - Parameter transformerName: The name under which the transformer is registered.
    public static func transformable(by transformerName: String) -> Option {
      Option(kind: .transformable(transformerName))
    }

    /// Returns an option that converts the values for the store with a transformer of the given
    /// class.
    ///
    /// The library finds the transformer by the name of the class without its module, such as
    /// `ColorTransformer`. Register an instance under this name, or conform the class to
    /// `NamedValueTransformer`.
    ///
    /// - Parameter transformerType: The class of the transformer.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      Option(kind: .transformable(String(describing: transformerType)))
    }
  }
}
