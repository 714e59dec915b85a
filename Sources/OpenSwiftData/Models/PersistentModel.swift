internal import Foundation
public import Observation
public import OpenObjectGraph

/// A class whose instances are persisted. The `@Model` macro adds the conformance.
///
/// A class can also conform to the protocol without the macro. Such a class declares
/// `init(backingData:)`, ``persistentBackingData`` and ``schemaMetadata``, and its properties call
/// `getValue(forKey:)` and `setValue(forKey:to:)`. The class initializes ``persistentBackingData``
/// with the result of ``createBackingData()``.
///
/// Each model has one managed object, which contains all persisted values. A context has at most
/// one instance for each row.
///
/// > Concurrency: Confined to the actor or task that uses the model's context. A model is never
/// > `Sendable`; pass ``persistentModelID`` to other actors.
/// > Reference: Apple, PersistentModel.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// The class at the root of the model's inheritance tree.
  associatedtype Root: PersistentModel = Self

  /// Creates an instance with existing values.
  ///
  /// - Parameter backingData: The storage for the values.
  init(backingData: any BackingData<Self>)
  /// The storage for the model's persisted values.
  var persistentBackingData: any BackingData<Self> { get set }
  /// The metadata of the persisted properties, including inherited properties.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }
  /// Creates an instance for a managed object. The library calls this initializer.
  ///
  /// - Parameter object: The managed object.
  init(__object object: __shared __ModelObject)
  /// The managed object that contains the model's values.
  var __object: __ModelObject { get set }
  /// Connects the managed object to the model. The library calls this method.
  func __bind()
}

// The requirements that only `@Model` implements, for classes that conform to the protocol without
// the macro. Such a class stores its backing data in a property.
extension PersistentModel {
  public init(__object object: __shared __ModelObject) {
    self.init(backingData: __ModelBacking<Self>(object))
  }

  public var __object: __ModelObject {
    get {
      if let object = persistentBackingData.__object { return object }
      let object = __ModelObject.make(from: persistentBackingData)
      persistentBackingData = __ModelBacking<Self>(object)
      return object
    }
    set {
      let object = __object
      guard object !== newValue else { return }
      persistentBackingData = __ModelBacking<Self>(newValue)
      newValue.takePlace(of: object)
    }
  }

  public func __bind() { __object.bindWeakly(self) }
}

extension PersistentModel {
  /// Returns backing data that contains the default values of a new model's properties.
  ///
  /// > Reference: Apple, createBackingData().
  public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
    __ModelBacking<P>(__ModelObject.make(for: P.self))
  }

  /// The context of the model; `nil` before the model is inserted, and after its deletion is
  /// saved.
  public var modelContext: ModelContext? {
    (__object.managedObjectContext as? GraphContext)?.owner
  }

  /// The identifier of the model, for use in other contexts and actors.
  ///
  /// The identifier is temporary until the first save, which replaces the identifier.
  @inlinable
  public var persistentModelID: PersistentIdentifier {
    __reading(__object) { PersistentIdentifier(of: $0) }
  }

  /// Whether the model was inserted, changed or deleted since the last save of the context.
  public var hasChanges: Bool { __object.hasChanges }

  /// Whether the next save deletes the model.
  public var isDeleted: Bool { __object.isDeleted }

  /// Returns whether two instances represent the same model in the same context.
  ///
  /// A context normally has one instance for each row. An initializer can assign a relationship
  /// before the other properties of the new model are initialized. If a caller then reads the
  /// inverse relationship before the new model is inserted, the relationship contains a second
  /// instance of the new model. Both instances have the same persisted values, and are equal.
  public static func == (one: Self, other: Self) -> Bool {
    one === other || one.__object === other.__object
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(__object.identity) }
}

extension PersistentModel where ID == PersistentIdentifier {
  /// The persistent identifier, for classes that do not declare a property `id`.
  public var id: PersistentIdentifier { persistentModelID }
}

/// Calls a closure that reads the object of a model, without retaining the object.
///
/// The model retains the object during the call. If the closure causes the model's object to be
/// replaced, the new object retains the old object.
///
/// - Parameters:
///   - object: The object of the model.
///   - read: The closure to call.
/// - Returns: The result of the closure.
@inlinable @inline(__always)
public func __reading<Value>(
  _ object: @autoclosure () -> __ModelObject, _ read: (__ModelObject) -> Value
) -> Value {
  Unmanaged.passUnretained(object())._withUnsafeGuaranteedRef(read)
}

/// An alias of ``PersistentModel`` for the code that `@Model` generates, so that an application can
/// declare a type named `PersistentModel`.
public typealias __PersistentModel = PersistentModel
/// A protocol that `@Model` adds to a class whose superclass is not a model. A subclass inherits
/// the conformance. In a subclass, the macro recognizes by the inherited conformance that the
/// superclass is a model.
public protocol __RootModel: AnyObject {}
/// An alias of ``BackingData`` for the code that `@Model` generates, so that an application can
/// declare a type named `BackingData`.
public typealias __BackingData = BackingData
/// An alias of ``Schema`` for the code that `@Model` generates, so that an application can declare
/// a type named `Schema`.
public typealias __Schema = Schema

/// Returns the key of a property for the accessors of a model.
///
/// - Parameter name: The name of the property.
public func __ModelKey(_ name: String) -> __ManagedKey { __ManagedKey(name) }
