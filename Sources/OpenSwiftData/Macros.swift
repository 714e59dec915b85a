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
/// A property can have one of these types: a type that stores support, an enumeration, a `Codable`
/// structure, a collection of such values, a model, or an array of models. Computed properties and
/// properties with `@Transient` are not persisted.
///
/// > Reference: Apple, Model().
@attached(
  member, conformances: Observable, PersistentModel, Sendable,
  names: named(_$link), named(_$backingData), named(persistentBackingData),
  named(schemaMetadata), named(init), named(access), named(withMutation), named(__object),
  named(__bind), named(_SwiftDataNoType))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Observable, PersistentModel, Sendable, CustomReflectable,
  CustomDebugStringConvertible)
public macro Model() = #externalMacro(module: "OpenMacros", type: "PersistentModelMacro")

/// Specifies how a property is stored.
///
/// - Parameters:
///   - options: Options such as uniqueness, external storage or a value transformer.
///   - originalName: The name of the property in older versions of the schema.
///   - hashModifier: A string that changes the version hash of the schema, so that stores migrate
///     although the declaration is otherwise the same.
/// > Reference: Apple, Attribute(_:originalName:hashModifier:).
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenMacros", type: "AttributeMacro")

/// Specifies the behavior of a relationship.
///
/// - Parameters:
///   - options: The options of the relationship.
///   - deleteRule: The effect that deleting the model has on the destinations.
///   - minimumModelCount: The minimum number of destinations; 0 or `nil` for no limit.
///   - maximumModelCount: The maximum number of destinations; 0 or `nil` for no limit.
///   - originalName: The name of the relationship in older versions of the schema.
///   - inverse: The property of the destination that is the inverse relationship. Declare it on one
///     of the two sides only.
///   - hashModifier: A string that changes the version hash of the schema, so that stores migrate
///     although the declaration is otherwise the same.
/// > Reference: Apple, Relationship(_:deleteRule:minimumModelCount:maximumModelCount:originalName:inverse:hashModifier:).
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenMacros", type: "RelationshipMacro")

/// Excludes a property from persistence.
///
/// > Reference: Apple, Transient().
@attached(peer)
public macro Transient() = #externalMacro(module: "OpenMacros", type: "TransientMacro")

/// Makes the combined values of properties unique.
///
/// If a new model has the same values as a stored model, a save updates the stored model instead of
/// inserting the new one.
///
/// - Parameter constraints: The groups of properties whose combined values are unique.
///
/// > Reference: Apple, Unique(_:).
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "OpenMacros", type: "UniqueMacro")

/// Creates a binary index for each group of properties.
///
/// - Parameter indices: The groups of properties to index together.
///
/// > Reference: Apple, Index(_:).
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "OpenMacros", type: "IndexMacro")

/// Creates indexes of the given types.
///
/// - Parameter indices: The indexes, each with its type and properties.
///
/// > Reference: Apple, Index(_:).
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "OpenMacros", type: "IndexMacro")

/// Connects a property to its persisted value. `@Model` adds this macro.
@attached(
  accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_), prefixed(__key_))
public macro _PersistedProperty() =
  #externalMacro(module: "OpenMacros", type: "PersistedPropertyMacro")

/// Connects a property with a value transformer to its persisted value. `@Model` adds this macro.
@attached(
  accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_), prefixed(__key_))
public macro _TransformablePersistedProperty() =
  #externalMacro(module: "OpenMacros", type: "TransformablePropertyMacro")
