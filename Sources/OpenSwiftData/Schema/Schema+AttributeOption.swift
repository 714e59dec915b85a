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

    /// No two models have the same value. If a new model has the same value as a stored model, a
    /// save updates the stored model instead of inserting the new model.
    public static let unique = Option(kind: .unique)
    /// Large binary data is stored in separate files.
    public static let externalStorage = Option(kind: .externalStorage)
    /// Changes of the value are tracked, but the value is not stored.
    public static let ephemeral = Option(kind: .ephemeral)
    /// The history preserves the value of a deleted model.
    public static let preserveValueOnDeletion = Option(kind: .preserveValueOnDeletion)
    /// Full-text searches include the property if the property is a string. See
    /// ``FetchDescriptor/search``.
    public static let spotlight = Option(kind: .spotlight)
    /// CloudKit may encrypt the value. The option has no effect on this platform.
    public static let allowsCloudEncryption = Option(kind: .allowsCloudEncryption)
    /// The encoded value is stored in one column. Without this option, each stored property of a
    /// structure has its own column.
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
    /// The library finds the transformer by the name of the class. Register an instance under this
    /// name, or conform the class to `NamedValueTransformer`.
    ///
    /// - Parameter transformerType: The class of the transformer.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      Option(kind: .transformable(String(describing: transformerType)))
    }
  }
}
