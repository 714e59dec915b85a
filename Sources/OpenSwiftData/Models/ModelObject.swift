internal import COpenRuntime
internal import Foundation
public import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// The managed object of a model.
///
/// The object contains all persisted values, and has no context until the model is inserted. The
/// object refers to the model by address, and normally does not retain the model. There are two
/// exceptions. Until the next save or rollback, the object retains its model if the model was
/// inserted, or if a to-one relationship was set to the model. The object also retains a model that
/// is not yet inserted but is related to another model, because inserting the other model also
/// inserts the related model.
///
/// > Concurrency: Confined to the actor or task that uses the model. The model may be deallocated
/// > on any thread.
public final class __ModelObject: NSManagedObject {
  /// The address of the model; 0 if there is no model. Any thread may remove the address.
  fileprivate let address = Atomic<UInt>(0)
  /// Excludes a lookup of the model during the deinitialization of the model.
  private let lookup = Mutex<Void>(())
  /// The retained model of an object that is inserted but not saved, that an unsaved relationship
  /// refers to, or that waits for the insertion of a related object.
  var keptModel: AnyObject?
  /// The model, if its class does not have a ``__ModelLink``.
  private var weakModel: WeakModel?
  /// The object that this object replaced in its model.
  private var replaced: __ModelObject?
  /// The value of ``identity``; 0 until a value is assigned.
  private let knownIdentity = Atomic<Int>(0)
  private static let identities = Atomic<Int>(0)
  /// Whether an initializer of the model sets the initial values of properties.
  ///
  /// The value is `false` in the model of a row, in a second model of a new object, and in a model
  /// that only records which properties are read.
  @usableFromInline @exclusivity(unchecked) var takesInitialValues = false

  // MARK: Making

  /// Creates the managed object of a new model; the object does not have a context.
  ///
  /// The object has the default values of the latest schema that contains the type. If the model is
  /// created for a fetched row, the method returns the object of that row.
  ///
  /// - Parameter type: The type of the model.
  @inlinable
  public static func make<Model: PersistentModel>(for type: Model.Type) -> __ModelObject {
    handed(to: address(of: type)) ?? makeOther(for: type)
  }

  /// Returns the object that ``makeModel(_:)`` provides for a model of exactly the given type.
  ///
  /// - Parameter type: The address of the type's metadata.
  /// - Returns: The object; `nil` if the function provides none for this type.
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
        // The values of the row apply, not the initial values of a sub-model.
        _ = __ModelValues.takePending(for: type)
        return object(at: pointer)
      }
      // A default value creates another model first.
      ocd_hand_over(handed)
    }
    let object =
      __ModelValues.takePending(for: type)?.makeObject()
      ?? __ModelObject(entity: ModelTypes.entity(of: type), insertInto: nil)
    object.takesInitialValues = true
    return object
  }

  /// Returns the object that ``makeModel(_:)`` provides for the initial value of the model's
  /// backing data.
  private static func object(at pointer: UnsafeMutableRawPointer) -> __ModelObject {
    let handed = Unmanaged<__ModelObject>.fromOpaque(pointer)
    handed._withUnsafeGuaranteedRef {
      // An initializer has already set the values of an object that has related objects.
      $0.takesInitialValues =
        $0.isDetached && !KeyRecorder.isProbe($0)
        && ModelRelationship.knownNeighbors(of: $0).isEmpty
    }
    return handed.takeUnretainedValue()
  }

  @inlinable @inline(__always)
  static func address(of type: any Any.Type) -> UnsafeRawPointer {
    unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// Returns the managed object that contains the values of the given backing data.
  ///
  /// For a custom type of backing data, the method creates an object and copies the values.
  ///
  /// - Parameter backingData: The values of the model.
  public static func make<Model: PersistentModel>(
    from backingData: any BackingData<Model>
  ) -> __ModelObject {
    if let own = backingData.__object { return own }
    let object = make(for: Model.self)
    ForeignValues(backingData).copy(to: object)
    return object
  }

  /// Returns the managed object that a model uses after its backing data is replaced.
  ///
  /// Custom backing data that has the model's identifier forwards to the model's own backing data.
  /// For such backing data, the method returns `object`. For other backing data, the method returns
  /// the result of ``make(from:)``.
  ///
  /// - Parameters:
  ///   - backingData: The new backing data of the model.
  ///   - object: The current managed object of the model.
  public static func make<Model: PersistentModel>(
    from backingData: any BackingData<Model>, replacing object: __ModelObject
  ) -> __ModelObject {
    if backingData.__object == nil,
      backingData.persistentModelID == PersistentIdentifier(of: object)
    {
      return object
    }
    return make(from: backingData)
  }

  /// Creates the model of the object.
  @inlinable
  func makeModel<Model: PersistentModel>(_ type: Model.Type) -> Model {
    // An initializer can read the inverse of a relationship that it set, which creates a second
    // model of the object, and then set further initial values.
    let tookInitialValues = takesInitialValues
    handOver(to: Self.address(of: type))
    let model = Model(__object: self)
    Self.takeBack()
    takesInitialValues = tookInitialValues
    model.__bind()
    return model
  }

  @usableFromInline
  func handOver(to type: UnsafeRawPointer) {
    ocd_hand_over(ocd_handed(object: Unmanaged.passUnretained(self).toOpaque(), model: type))
  }

  /// Clears the object that ``makeModel(_:)`` provided, if the model's initializer did not use the
  /// object.
  @usableFromInline
  static func takeBack() { ocd_hand_over(ocd_handed()) }

  // MARK: The model

  /// The existing model of the object; `nil` if the object has none.
  @usableFromInline var knownModel: AnyObject? {
    if let keptModel { return keptModel }
    if address.load(ordering: .relaxed) == 0, weakModel == nil { return nil }
    var model: AnyObject?
    lookup.withLock { _ in
      guard let pointer = UnsafeMutableRawPointer(bitPattern: address.load(ordering: .relaxed)),
        let retained = ocd_try_retain(pointer)
      else { return }
      model = Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
    }
    return model ?? weakModel?.model
  }

  /// Retains the object that this object replaces in its model, but no earlier object.
  fileprivate func keepReplaced(_ object: __ModelObject) {
    object.replaced = nil
    replaced = object
  }

  /// A number that identifies the model, even after another object replaced this object.
  ///
  /// > Concurrency: Any thread.
  var identity: Int {
    let known = knownIdentity.load(ordering: .relaxed)
    if known != 0 { return known }
    let new = Self.identities.add(1, ordering: .relaxed).newValue
    let (isNew, other) = knownIdentity.compareExchange(
      expected: 0, desired: new, ordering: .relaxed)
    return isNew ? new : other
  }

  fileprivate func takeIdentity(of object: __ModelObject) {
    // If the identity of this object has already been read, the object keeps it.
    _ = knownIdentity.compareExchange(expected: 0, desired: object.identity, ordering: .relaxed)
  }

  func bind(_ model: AnyObject) {
    let pointer = UInt(bitPattern: Unmanaged.passUnretained(model).toOpaque())
    address.store(pointer, ordering: .relaxed)
  }

  /// Connects the object to a model whose class does not have a ``__ModelLink``.
  func bindWeakly(_ model: AnyObject) { weakModel = WeakModel(model) }

  /// Takes the place of another object in a model whose class does not have a ``__ModelLink``.
  func takePlace(of object: __ModelObject) {
    keepReplaced(object)
    takeIdentity(of: object)
    weakModel = object.weakModel
    object.weakModel = nil
  }

  /// Removes the address of a model that is being deallocated.
  func unbind(_ pointer: UInt) {
    lookup.withLock { _ in
      _ = address.compareExchange(expected: pointer, desired: 0, ordering: .relaxed)
    }
  }

  /// Returns the object's model, and creates it if necessary.
  ///
  /// The object's entity must be the entity of the type.
  @inlinable
  func ownModel<Model: PersistentModel>(as type: Model.Type) -> Model {
    if let known = knownModel, Swift.type(of: known) == type {
      return unsafeDowncast(known, to: type)
    }
    return makeModel(type)
  }

  /// Returns the object's model, and creates it if necessary.
  @inlinable
  func model<Model: PersistentModel>(as type: Model.Type) -> Model {
    if let known = knownModel {
      if Swift.type(of: known) == type { return unsafeDowncast(known, to: type) }
      if let model = known as? Model { return model }
    }
    return hasOwnModel(type) ? makeModel(type) : makeModel(orOf: type)
  }

  /// Returns whether a type is the model class of the object's entity.
  @usableFromInline
  func hasOwnModel(_ type: any PersistentModel.Type) -> Bool {
    ModelTypes.type(of: self).map { $0 == type } ?? true
  }

  @usableFromInline
  func makeModel<Model: PersistentModel>(orOf type: Model.Type) -> Model {
    let own = ModelTypes.type(of: self) ?? type
    return (makeAnyModel(own) as? Model) ?? makeModel(type)
  }

  /// The object's model, which is created if necessary; `nil` if the entity has no model class.
  var anyModel: (any PersistentModel)? {
    if let known = knownModel as? any PersistentModel { return known }
    return ModelTypes.type(of: self).map { makeAnyModel($0) }
  }

  /// A number that identifies the entity among the entities of all managed object models.
  @usableFromInline var entityNumber: UInt32 { modelEntityToken }

  private func makeAnyModel<Model: PersistentModel>(_ type: Model.Type) -> any PersistentModel {
    makeModel(type)
  }

  /// Hands over the model to the object into which a save merged this object.
  ///
  /// The method does nothing if the survivor has a model or belongs to another class.
  ///
  /// - Parameter survivor: The object that survived.
  /// - Returns: Whether the survivor took over the model.
  func handModel(to survivor: __ModelObject) -> Bool {
    guard entityNumber == survivor.entityNumber, survivor.knownModel == nil,
      let model = knownModel as? any PersistentModel, model.__object === self
    else { return false }
    model.__object = survivor
    return true
  }

  /// Takes back the model that the object handed over to a survivor.
  func takeModel(from survivor: __ModelObject) {
    guard let known = survivor.knownModel, let model = known as? any PersistentModel,
      model.__object === survivor
    else { return }
    model.__object = self
    survivor.unbind(UInt(bitPattern: ObjectIdentifier(known)))
    survivor.keptModel = nil
    model.__bind()
  }

  // MARK: Life cycle

  /// Whether the class has additional validation methods. The value is `false`, because only the
  /// rules of the schema apply to models.
  public override class var __validatesMore: Bool { false }

  public override func awakeFromInsert() {
    (managedObjectContext as? GraphContext)?.owner?.didInsert(self)
  }
}

/// A weak reference to a model that does not notify its object when the model is deallocated.
private final class WeakModel {
  private(set) weak var model: AnyObject?

  init(_ model: AnyObject) { self.model = model }
}

/// Notifies a managed object when its model is deallocated.
///
/// The link is a stored property of the model, so the class of the model does not need a `deinit`.
public struct __ModelLink: ~Copyable {
  /// The object, which the model retains until the link is destroyed.
  private var object: Unmanaged<__ModelObject>?
  private var model: UInt = 0

  /// Creates a link that is not yet connected to an object.
  public init() {}

  /// Connects an object to its model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - object: The managed object of the model.
  public mutating func bind(_ model: AnyObject, to object: __ModelObject) {
    let pointer = UInt(bitPattern: Unmanaged.passUnretained(model).toOpaque())
    let unmanaged = Unmanaged.passUnretained(object)
    if self.object?.toOpaque() == unmanaged.toOpaque(), object.isBound(to: pointer) { return }
    unbind()
    self.object = unmanaged
    self.model = pointer
    object.bind(model)
  }

  /// Connects a model to the object that replaces the previous object of the model.
  ///
  /// The new object retains the previous object, because code that reads the model may be using the
  /// previous object.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - old: The previous object of the model.
  ///   - new: The object that replaces the previous object.
  public mutating func move(
    _ model: AnyObject, from old: __ModelObject, to new: __ModelObject
  ) {
    guard old !== new else { return }
    new.keepReplaced(old)
    new.takeIdentity(of: old)
    guard object != nil else { return }
    unbind()
    object = nil
    bind(model, to: new)
  }

  private func unbind() { object?._withUnsafeGuaranteedRef { $0.unbind(model) } }

  deinit { unbind() }
}

extension __ModelObject {
  fileprivate func isBound(to pointer: UInt) -> Bool {
    address.load(ordering: .relaxed) == pointer
  }
}

extension __ModelObject: ModelOwning {
  package var ownedModel: AnyObject? { anyModel }
}
