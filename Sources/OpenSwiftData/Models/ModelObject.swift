internal import COpenRuntime
internal import Foundation
public import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// The managed object of a model.
///
/// It contains all persisted values. Before the model is inserted, the object has no context. It refers to its model
/// by address and does not retain it, except for models that are inserted and not saved.
///
/// > Concurrency: Confined, like the model; the model may be deallocated on any thread.
public final class __ModelObject: NSManagedObject {
  /// The address of the model; the lock serializes a lookup and the model's deinitialization.
  fileprivate let address = Mutex<UInt>(0)
  /// The model while the object is inserted and not saved, or waits for being inserted with another one.
  var keptModel: AnyObject?
  /// Whether initial values of properties count, while the model is initialized; they do not in the model of a row, and in one that
  /// only notes which properties are read.
  @usableFromInline @exclusivity(unchecked) var takesInitialValues = false

  // MARK: Making

  /// Creates the object of a new model, without a context and with the defaults of the latest schema for its type.
  ///
  /// While a context creates the model of a row, it returns the object of that row.
  @inlinable
  public static func make<Model: PersistentModel>(for type: Model.Type) -> __ModelObject {
    handed(to: address(of: type)) ?? makeOther(for: type)
  }

  /// The object that ``makeModel(_:)`` hands to a model of the very type at an address.
  @usableFromInline
  static func handed(to type: UnsafeRawPointer) -> __ModelObject? {
    guard ocd_handed_model() == type, let pointer = ocd_take_handed().object else { return nil }
    return object(at: pointer)
  }

  @usableFromInline
  static func makeOther<Model: PersistentModel>(for type: Model.Type) -> __ModelObject {
    let handed = ocd_take_handed()
    if let pointer = handed.object {
      if unsafeBitCast(handed.model, to: Any.Type.self) is Model.Type {
        // The row's values count, not those that wait for the object of a sub-model.
        _ = __ModelValues.takePending(for: type)
        return object(at: pointer)
      }
      // A default value makes another model first.
      ocd_hand_over(handed)
    }
    let object =
      __ModelValues.takePending(for: type)?.makeObject()
      ?? __ModelObject(entity: ModelTypes.entity(of: type), insertInto: nil)
    object.takesInitialValues = true
    return object
  }

  /// The object that ``makeModel(_:)`` hands to the initial value of the model's backing data.
  private static func object(at pointer: UnsafeMutableRawPointer) -> __ModelObject {
    let object = Unmanaged<__ModelObject>.fromOpaque(pointer).takeUnretainedValue()
    object.takesInitialValues = object.isDetached && !KeyRecorder.isProbe(object)
    return object
  }

  @inlinable @inline(__always)
  static func address(of type: any Any.Type) -> UnsafeRawPointer {
    unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// The object of backing data; values of a foreign kind of backing data are copied.
  public static func make<Model: PersistentModel>(
    from backingData: any BackingData<Model>
  ) -> __ModelObject {
    if let own = backingData.__object { return own }
    let object = make(for: Model.self)
    ForeignValues(backingData).copy(to: object)
    return object
  }

  /// Creates the model of the object.
  @inlinable
  func makeModel<Model: PersistentModel>(_ type: Model.Type) -> Model {
    handOver(to: Self.address(of: type))
    let model = Model(__object: self)
    Self.takeBack()
    model.__bind()
    return model
  }

  @usableFromInline
  func handOver(to type: UnsafeRawPointer) {
    ocd_hand_over(ocd_handed(object: Unmanaged.passUnretained(self).toOpaque(), model: type))
  }

  /// Takes back what no model has taken.
  @usableFromInline
  static func takeBack() { ocd_hand_over(ocd_handed()) }

  // MARK: The model

  /// The model of the object, if there is one.
  @usableFromInline var knownModel: AnyObject? {
    if let keptModel { return keptModel }
    var model: AnyObject?
    address.withLock { address in
      guard let pointer = UnsafeMutableRawPointer(bitPattern: address),
        let retained = ocd_try_retain(pointer)
      else { return }
      model = Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
    }
    return model
  }

  func bind(_ model: AnyObject) {
    let pointer = UInt(bitPattern: Unmanaged.passUnretained(model).toOpaque())
    address.withLock { $0 = pointer }
  }

  /// Forgets a model that goes.
  func unbind(_ pointer: UInt) {
    address.withLock { if $0 == pointer { $0 = 0 } }
  }

  /// The object's model, created if necessary, for an object whose entity is known to be the type's.
  @inlinable
  func ownModel<Model: PersistentModel>(as type: Model.Type) -> Model {
    if let known = knownModel, Swift.type(of: known) == type {
      return unsafeDowncast(known, to: type)
    }
    return makeModel(type)
  }

  /// The object's model, created if necessary.
  @inlinable
  func model<Model: PersistentModel>(as type: Model.Type) -> Model {
    if let known = knownModel {
      if Swift.type(of: known) == type { return unsafeDowncast(known, to: type) }
      if let model = known as? Model { return model }
    }
    return hasOwnModel(type) ? makeModel(type) : makeModel(orOf: type)
  }

  /// Whether a type is that of the object's entity.
  @usableFromInline
  func hasOwnModel(_ type: any PersistentModel.Type) -> Bool {
    ModelTypes.type(of: self).map { $0 == type } ?? true
  }

  @usableFromInline
  func makeModel<Model: PersistentModel>(orOf type: Model.Type) -> Model {
    let own = ModelTypes.type(of: self) ?? type
    return (makeAnyModel(own) as? Model) ?? makeModel(type)
  }

  /// The object's model, created if necessary; nil for an object of an entity without a model class.
  var anyModel: (any PersistentModel)? {
    if let known = knownModel as? any PersistentModel { return known }
    return ModelTypes.type(of: self).map { makeAnyModel($0) }
  }

  /// A number that tells the entities of all models apart.
  @usableFromInline var entityNumber: UInt32 { modelEntityToken }

  private func makeAnyModel<Model: PersistentModel>(_ type: Model.Type) -> any PersistentModel {
    makeModel(type)
  }

  // MARK: Life cycle

  /// Models have no validation methods; only the rules of the schema apply.
  public override class var __validatesMore: Bool { false }

  public override func awakeFromInsert() {
    (managedObjectContext as? GraphContext)?.owner?.didInsert(self)
  }
}

/// Notifies a managed object that its model is deallocated.
///
/// A stored property of the model that is deallocated with the model, so the model's class needs no `deinit`.
public struct __ModelLink: ~Copyable {
  private var object: __ModelObject?
  private var model: UInt = 0

  public init() {}

  /// Connects an object with its model.
  public mutating func bind(_ model: AnyObject, to object: __ModelObject) {
    let pointer = UInt(bitPattern: Unmanaged.passUnretained(model).toOpaque())
    if self.object === object, object.isBound(to: pointer) { return }
    self.object?.unbind(pointer)
    self.object = object
    self.model = pointer
    object.bind(model)
  }

  deinit { object?.unbind(model) }
}

extension __ModelObject {
  fileprivate func isBound(to pointer: UInt) -> Bool { address.withLock { $0 == pointer } }
}
