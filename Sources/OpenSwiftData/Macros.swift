internal import Observation

/// Makes a class a model, whose stored properties are persisted and observed.
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
/// Properties can have the types that stores support, enumerations, Codable structures, collections
/// of these, models, and arrays of models. Computed properties and those with `@Transient` are not
/// persisted.
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
///   - options: Uniqueness, external storage, transformers and so on.
///   - originalName: The property's name in older versions of the schema.
///   - hashModifier: Changes the version hash of the schema although nothing else changed.
/// > Reference: Apple, Attribute(_:originalName:hashModifier:).
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenMacros", type: "AttributeMacro")

/// Specifies the behaviour of a relationship.
///
/// - Parameters:
///   - options: Further options.
///   - deleteRule: The effect of deleting the model on the destination.
///   - minimumModelCount: The minimum number of destinations; 0 or nil for no limit.
///   - maximumModelCount: The maximum number of destinations; 0 or nil for no limit.
///   - originalName: The relationship's name in older versions of the schema.
///   - inverse: The destination's property that leads back, on one of the two sides only.
///   - hashModifier: Changes the version hash of the schema although nothing else changed.
/// > Reference: Apple, Relationship(_:deleteRule:minimumModelCount:maximumModelCount:originalName:inverse:hashModifier:).
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "OpenMacros", type: "RelationshipMacro")

/// Excludes a property from the store.
///
/// > Reference: Apple, Transient().
@attached(peer)
public macro Transient() = #externalMacro(module: "OpenMacros", type: "TransientMacro")

/// Makes combinations of properties unique: saving a model with the values of a stored model
/// replaces the stored model.
///
/// > Reference: Apple, Unique(_:).
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "OpenMacros", type: "UniqueMacro")

/// Creates indexes of combinations of properties.
///
/// > Reference: Apple, Index(_:).
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "OpenMacros", type: "IndexMacro")

/// Creates indexes of given kinds.
///
/// > Reference: Apple, Index(_:).
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "OpenMacros", type: "IndexMacro")

/// Connects a property with its persisted value; `@Model` adds it.
@attached(
  accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_), prefixed(__key_))
public macro _PersistedProperty() =
  #externalMacro(module: "OpenMacros", type: "PersistedPropertyMacro")

/// As `_PersistedProperty`, for properties with a value transformer.
@attached(
  accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_), prefixed(__key_))
public macro _TransformablePersistedProperty() =
  #externalMacro(module: "OpenMacros", type: "TransformablePropertyMacro")
