internal import Observation

/// Turns a class into a model whose stored properties are persisted and observed.
///
/// ```swift
/// @Model
/// final class Story {
///   @Attribute(.unique) var id: UUID
///   var title: String
///   @Relationship(deleteRule: .cascade, inverse: \Page.story) var pages: [Page] = []
///
///   init(id: UUID = UUID(), title: String) {
///     self.id = id
///     self.title = title
///   }
/// }
/// ```
///
/// The type of a stored property can be a model, an array of models, or any `Codable` type, such as
/// a string, a number, an enumeration, a structure or a collection. A property of any other type
/// requires a value transformer. Computed properties and properties with `@Transient` are not
/// persisted.
///
/// > Reference: Apple, Model().
@attached(
  member, conformances: Observable, PersistentModel, __RootModel, Sendable,
  names: named(_$link), named(_$backingData), named(persistentBackingData),
  named(schemaMetadata), named(init), named(access), named(withMutation), named(__object),
  named(__bind), named(_SwiftDataNoType))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Observable, PersistentModel, __RootModel, Sendable, CustomReflectable,
  CustomDebugStringConvertible)
public macro Model() = #externalMacro(module: "OpenMacros", type: "PersistentModelMacro")

/// Specifies how a property is stored.
///
/// - Parameters:
///   - options: The options of the attribute, such as `.unique` or `.externalStorage`.
///   - originalName: The name of the property in older versions of the schema; `nil` if the
///     property was not renamed.
///   - hashModifier: A string that contributes to the version hash of the property; `nil` for no
///     string. If the string changes, stores migrate even if the declaration is otherwise
///     unchanged.
/// > Reference: Apple, Attribute(_:originalName:hashModifier:).
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenMacros", type: "AttributeMacro")

/// Specifies the behavior of a relationship.
///
/// - Parameters:
///   - options: The options of the relationship, such as `.unique`.
///   - deleteRule: The effect that deleting the model has on the destinations.
///   - minimumModelCount: The minimum number of destinations of a to-many relationship; 0 or `nil`
///     for no minimum. Regardless of the minimum, an optional relationship may be empty.
///   - maximumModelCount: The maximum number of destinations of a to-many relationship; 0 or `nil`
///     for no maximum. Creating a container throws `SwiftDataError.loadIssueModelContainer` if a
///     count is negative, if the maximum is 1, or if the maximum is less than the minimum.
///   - originalName: The name of the relationship in older versions of the schema; `nil` if the
///     relationship was not renamed.
///   - inverse: The key path of the inverse relationship. If the value is `nil`, the schema
///     determines the inverse from the type of the destination. Specify the inverse on only one of
///     the two relationships.
///   - hashModifier: A string that contributes to the version hash of the property; `nil` for no
///     string. If the string changes, stores migrate even if the declaration is otherwise
///     unchanged.
/// > Reference: Apple, Relationship(_:deleteRule:minimumModelCount:maximumModelCount:originalName:inverse:hashModifier:).
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenMacros", type: "RelationshipMacro")

/// Excludes a property from persistence. A property whose type is not optional requires a default
/// value.
///
/// > Reference: Apple, Transient().
@attached(peer)
public macro Transient() = #externalMacro(module: "OpenMacros", type: "TransientMacro")

/// Declares groups of properties whose combined values must be unique among the models of a type.
///
/// If a new model has the same combination of values as a stored model, a save updates the stored
/// model instead of inserting the new model.
///
/// - Parameter constraints: The groups of properties. Each argument declares one constraint with an
///   array of key paths, such as `[\.title]`.
///
/// > Reference: Apple, Unique(_:).
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "OpenMacros", type: "UniqueMacro")

/// Creates a binary index for each group of properties. A binary index makes comparisons and
/// sorting faster.
///
/// - Parameter indices: The groups of properties. Each argument declares one index with an array of
///   key paths, such as `[\.title]`.
///
/// > Reference: Apple, Index(_:).
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "OpenMacros", type: "IndexMacro")

/// Creates binary and R-tree indexes.
///
/// - Parameter indices: The indexes. Each index is a `.binary` or `.rtree` value with the key paths
///   of the properties to index, such as `.rtree([\.latitude, \.longitude])`.
///
/// > Reference: Apple, Index(_:).
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "OpenMacros", type: "IndexMacro")

/// Adds accessors that read and write the persisted value of a property.
///
/// `@Model` adds this macro to each persisted property without a value transformer.
@attached(
  accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_), prefixed(__key_))
public macro _PersistedProperty() =
  #externalMacro(module: "OpenMacros", type: "PersistedPropertyMacro")

/// Adds accessors that read and write the persisted value of a property that has a value
/// transformer.
///
/// `@Model` adds this macro to each persisted property with a value transformer.
@attached(
  accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_), prefixed(__key_))
public macro _TransformablePersistedProperty() =
  #externalMacro(module: "OpenMacros", type: "TransformablePropertyMacro")
