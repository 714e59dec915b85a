internal import Foundation
public import Observation
public import OpenObjectGraph

/// A class whose instances a store keeps; `@Model` makes a class one.
///
/// Behind each model stands one managed object, which has all persisted values. A context has one instance for each row.
///
/// > Concurrency: Confined to the actor or task that uses its context; never Sendable. Pass ``persistentModelID``.
/// > Reference: Apple, PersistentModel.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// The class at the root of the model's inheritance tree.
  associatedtype Root: PersistentModel = Self

  /// Makes the instance that stands for values which are there already.
  init(backingData: any BackingData<Self>)
  /// The values.
  var persistentBackingData: any BackingData<Self> { get set }
  /// The persisted properties, those of superclasses included.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }
  /// Makes the instance that stands for an object; called by the library.
  init(__object object: __ModelObject)
  /// The managed object behind the model.
  var __object: __ModelObject { get set }
  /// Lets the managed object find the model; called by the library.
  func __bind()
}

extension PersistentModel {
  /// Makes values for a new instance of a model.
  ///
  /// > Reference: Apple, createBackingData().
  public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
    __ModelBacking<P>(__ModelObject.make(for: P.self))
  }

  /// The context that the model is in; nil before it was inserted, and after its deletion was saved.
  public var modelContext: ModelContext? {
    (__object.managedObjectContext as? GraphContext)?.owner
  }

  /// Names the model for other contexts and actors; it is temporary until the first save, which replaces it.
  @inlinable
  public var persistentModelID: PersistentIdentifier { PersistentIdentifier(of: __object) }

  /// Whether the model was inserted, changed or deleted since the last save.
  public var hasChanges: Bool { __object.hasChanges }

  /// Whether the next save deletes the model.
  public var isDeleted: Bool { __object.isDeleted }

  /// Models are equal only to themselves: a context has one instance for each row.
  public static func == (one: Self, other: Self) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PersistentModel where ID == PersistentIdentifier {
  /// The model's persistent identifier, for classes without an `id` of their own.
  public var id: PersistentIdentifier { persistentModelID }
}

/// What `@Model` calls these types, so that an application may have types of the same names.
public typealias __PersistentModel = PersistentModel
public typealias __BackingData = BackingData
public typealias __Schema = Schema

/// The key that the accessors of a property use.
public func __ModelKey(_ name: String) -> __ManagedKey { __ManagedKey(name) }
