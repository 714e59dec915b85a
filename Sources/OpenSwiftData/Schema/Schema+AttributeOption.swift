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

    /// The values of the property are unique. If a new model has the same value as a stored model,
    /// a save updates the stored model.
    public static let unique = Option(kind: .unique)
    /// Large values are stored in external files.
    public static let externalStorage = Option(kind: .externalStorage)
    /// Changes of the value are tracked, but the value is not stored.
    public static let ephemeral = Option(kind: .ephemeral)
    /// The history preserves the value of a deleted model.
    public static let preserveValueOnDeletion = Option(kind: .preserveValueOnDeletion)
    /// Full-text searches include the property, if its values are strings. See
    /// ``FetchDescriptor/search``.
    public static let spotlight = Option(kind: .spotlight)
    /// CloudKit may encrypt the value. The option has no effect on this platform.
    public static let allowsCloudEncryption = Option(kind: .allowsCloudEncryption)
    /// The value is encoded and stored in one column, instead of one column for each part.
    public static let codable = Option(kind: .codable)

    /// Returns an option with a named value transformer, which converts the values for the store.
    ///
    /// - Parameter transformerName: The name that the transformer is registered with.
    public static func transformable(by transformerName: String) -> Option {
      Option(kind: .transformable(transformerName))
    }

    /// Returns an option with the class of a value transformer, which converts the values for the
    /// store.
    ///
    /// The transformer is found by the name of its class. Register an instance with this name, or
    /// conform the class to `NamedValueTransformer`.
    ///
    /// - Parameter transformerType: The class of the transformer.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      Option(kind: .transformable(String(describing: transformerType)))
    }
  }
}
