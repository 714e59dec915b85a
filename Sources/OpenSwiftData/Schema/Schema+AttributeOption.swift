public import OpenObjectModel

extension Schema.Attribute {
  /// An option of an attribute.
  ///
  /// > Concurrency: A value.
  /// > Reference: Apple, Schema.Attribute.Option.
  public struct Option: Codable, Hashable, Sendable {
    enum Kind: Codable, Hashable, Sendable {
      case unique, externalStorage, ephemeral, preserveValueOnDeletion, spotlight
      case allowsCloudEncryption, codable
      case transformable(String)
    }

    let kind: Kind

    /// No two models have the same value: a save updates the stored model instead of inserting
    /// another one.
    public static let unique = Option(kind: .unique)
    /// Large data is stored in external files.
    public static let externalStorage = Option(kind: .externalStorage)
    /// Changes are tracked, but the value is not written to the store.
    public static let ephemeral = Option(kind: .ephemeral)
    /// History keeps the value of a deleted model.
    public static let preserveValueOnDeletion = Option(kind: .preserveValueOnDeletion)
    /// Full-text searches include the string; see ``FetchDescriptor/search``. Ignored for other
    /// values.
    public static let spotlight = Option(kind: .spotlight)
    /// The value may be encrypted in CloudKit; without effect here.
    public static let allowsCloudEncryption = Option(kind: .allowsCloudEncryption)
    /// The encoded value is stored in one column, instead of one column for each part.
    public static let codable = Option(kind: .codable)

    /// A transformer converts the value to stored data.
    ///
    /// - Parameter transformerName: The name under which the transformer is registered.
    /// - Returns: The option.
    public static func transformable(by transformerName: String) -> Option {
      Option(kind: .transformable(transformerName))
    }

    /// A transformer converts the value to stored data.
    ///
    /// The transformer is looked up by the name of its class: register an instance under this name,
    /// or conform the class to `NamedValueTransformer`.
    ///
    /// - Parameter transformerType: The class of the transformer.
    /// - Returns: The option.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      Option(kind: .transformable(String(describing: transformerType)))
    }
  }
}
