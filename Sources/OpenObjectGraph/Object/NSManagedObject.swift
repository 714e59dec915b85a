public import Foundation
public import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract
internal import Synchronization

/// A type that a fetch request can return.
///
/// > Reference: Apple, NSFetchRequestResult.
public protocol NSFetchRequestResult: NSObjectProtocol {}

/// An object that a context manages, with an id, the values of a row, and unsaved changes.
///
/// Committed values stay packed in the row until a getter reads them. An object without loaded
/// values is a fault: the first access to a property reads the row.
///
/// Declare subclasses with `@ManagedObject` and their properties with `@Managed`.
///
/// > Concurrency: Confined to the queue of its context, except `objectID` and
/// > `managedObjectContext`.
/// > Reference: Apple, NSManagedObject.
nonisolated open class NSManagedObject: NSObject, NSFetchRequestResult {
  // Every property access reads these fields. They are confined to the context's queue and never
  // passed as `inout`, so a dynamic check of exclusive access would find nothing.

  /// The context's registry; nil for an object without a context.
  @exclusivity(unchecked) final var registry: ContextRegistry?
  // Only `DetachedObject` replaces these two fields.
  @exclusivity(unchecked) final unowned(unsafe) var compiledEntity: CompiledEntity
  @exclusivity(unchecked) final var entityToken: UInt32
  /// The object's state in its context; set by the unit of work.
  @exclusivity(unchecked) final var standing = Standing()
  @exclusivity(unchecked) final var contents = Contents.realized
  // In this order the small fields fill whole words, which decides the size of every object.
  /// The relationship whose destination is ``readDestination``.
  @exclusivity(unchecked) final var readOrdinal: UInt16 = 0
  /// The position of the object's store in its coordinator.
  @exclusivity(unchecked) final var storePosition: UInt32 = 0
  @exclusivity(unchecked) final var key: Int64
  /// The owner of the committed snapshot; nil if the object has no row and uses default values.
  @exclusivity(unchecked) final var chunk: RowChunk?
  @exclusivity(unchecked) final var base: UnsafeRawPointer
  @exclusivity(unchecked) final var edits = ObjectEdits()
  /// The first to-one destination that was read; the extras retain the other destinations.
  @exclusivity(unchecked) final var readDestination: NSManagedObject?
  @exclusivity(unchecked) final var extras: ObjectExtras?
  /// The address of ``cachedID``, which the object retains.
  final let idAddress = Atomic<UnsafeMutableRawPointer?>(nil)

  /// Creates an object of an entity and inserts it into a context.
  ///
  /// The initializer sets all attributes to the default values of the model, and calls
  /// `awakeFromInsert()` if `context` is not nil.
  ///
  /// - Parameters:
  ///   - entity: An entity of a model with which a coordinator was created; otherwise, the object
  ///     has no entity, and inserting the object makes the next save throw `ObjectError`. The
  ///     entity's class must be the class of the new object.
  ///   - context: The context; nil creates an object that can be inserted later.
  /// > Reference: Apple, init(entity:insertInto:). Differs: D-037, D-284.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    let compiled = entity.compiledOrEmpty
    compiledEntity = compiled.takeUnretainedValue()
    entityToken = compiled._withUnsafeGuaranteedRef { $0.token }
    key = 0
    base = compiled._withUnsafeGuaranteedRef(DefaultRows.base)
    super.init()
    context?.insert(self)
  }

  /// Creates an object of the class's entity and inserts it into a context.
  ///
  /// The initializer looks up the entity in the model of the context. If the model has no such
  /// entity, the object has no entity, and the next save throws `ObjectError`.
  ///
  /// > Reference: Apple, init(context:).
  public required convenience init(context: NSManagedObjectContext) {
    self.init(entity: ObjectInsertion.entity(of: Self.self, in: context), insertInto: context)
  }

  /// Creates a placeholder without an entity or a context; use ``init(context:)`` instead.
  public override convenience init() {
    self.init(entity: NSEntityDescription(), insertInto: nil)
  }

  /// Creates an object outside any context; only the library calls this initializer.
  public required convenience init(__materializing entity: NSEntityDescription) {
    self.init(entity: entity, insertInto: nil)
  }

  deinit {
    cachedID = nil
    guard registry != nil else { return }
    borrowing(registry) { $0.remove(self) }
  }

  /// The name of the class in models; `@ManagedObject("Name")` overrides this property.
  open class var __managedClassName: String { String(describing: self) }

  // MARK: The class

  /// Returns an untyped request for the objects of this class's entity.
  ///
  /// Classes generated from a model also have a typed `fetchRequest()`.
  ///
  /// - Returns: A request for the entity.
  /// > Reference: Apple, NSManagedObject, fetchRequest().
  @_disfavoredOverload
  open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest<any NSFetchRequestResult>(entityName: ClassLookup.entityName(of: self))
  }

  /// Returns the entity of this class.
  ///
  /// The method searches the models for which the process has created coordinators, the most recent
  /// model first.
  ///
  /// - Returns: The description of the entity; an empty description if no model has an entity with
  ///   this class.
  open class func entity() -> NSEntityDescription { ClassLookup.entityDescription(of: self) }

  /// Returns the name of the class, with its module and its enclosing types.
  ///
  /// > Reference: Apple, NSObject, description().
  open class func description() -> String { String(reflecting: self) }

  /// Returns the key paths of the properties on which a key's value depends; the library never
  /// calls this method.
  ///
  /// > Reference: Apple, NSObject, keyPathsForValuesAffectingValue(forKey:). Differs: D-273.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  // MARK: Life cycle, for subclasses to override

  /// Called once after the object is inserted; an override can set initial values.
  open func awakeFromInsert() {}
  /// Called each time a fault of a saved object fires, after the object has received its values.
  /// Setting a property in an override does not mark the object as changed.
  open func awakeFromFetch() {}
  /// Called after an event, such as an undo, a refresh or a rollback, has replaced values of an
  /// object that is not a fault. Setting a property does not mark the object as changed.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
  /// Called by `save()` before the object is saved, and again if the object changes after the call.
  /// Set a property only if its value must change. After 1,000 rounds of calls, the save throws
  /// `CocoaError` 134060.
  open func willSave() {}
  /// Called by `save()` after saving or deleting the object; after a deletion, `isDeleted` is true.
  open func didSave() {}
  /// Called by `delete(_:)`, before the object is removed from its relationships.
  open func prepareForDeletion() {}
  /// Called before the object becomes a fault, and after the object's deletion is saved.
  open func willTurnIntoFault() {}
  /// Called after the object becomes a fault, or after `willTurnIntoFault()` for a deleted object.
  open func didTurnIntoFault() {}
  /// Checks the object before it is inserted into the store; overrides must call super.
  ///
  /// - Throws: `CocoaError` 1550–1690 for an invalid property; 1560 for several; or a validator's
  ///   error.
  open func validateForInsert() throws { try ObjectValidation(self).checkProperties() }
  /// Checks the object before its row is updated; overrides must call super.
  ///
  /// - Throws: The same errors as `validateForInsert()`.
  open func validateForUpdate() throws { try ObjectValidation(self).checkProperties() }
  /// Checks the object before it is deleted; overrides must call super.
  ///
  /// - Throws: `CocoaError` 1600 if a relationship with the deny rule has destinations; 1560 if
  ///   several of these relationships have destinations.
  open func validateForDelete() throws { try ObjectValidation(self).checkDenyRules() }

  /// Converts a value to the type of a property, and validates the value.
  ///
  /// The value must satisfy the model and the class's method `validate<Key>(_:)`. For a class that
  /// may have validators, a save calls this method, and then sets the property to the value at the
  /// pointer. Replace a value only if necessary, because a save validates changed objects again.
  ///
  /// - Parameters:
  ///   - value: The address of the value; numbers are `NSNumber`, to-many values are `NSSet`.
  ///   - key: The name of the property. For any other name, only `validate<Key>(_:)` is called.
  /// - Throws: `CocoaError` 1550–1690 with the object, the property and the value; 1560 for several
  ///   errors; 134060 for more than 64 nested calls; or the error that `validate<Key>(_:)` throws.
  /// > Reference: Apple, validateValue(_:forKey:). Differs: D-036.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    try ObjectValidation(self).check(value, forKey: key)
  }

  /// Whether the class may have validators; `@ManagedObject` overrides this property.
  ///
  /// The default for a class without the macro is true.
  open class var __validatesMore: Bool { self != NSManagedObject.self }

  /// Calls the class's method `validate<Key>(_:)`, if any, and throws the error of this method;
  /// `@ManagedObject` overrides `__validate(_:forKey:)`.
  open func __validate(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {}

  /// Returns the value of a property by name; nil for null.
  ///
  /// Numbers are `NSNumber`; to-many relationships are `NSSet` or `NSOrderedSet`. For an unknown
  /// name, the method calls `value(forUndefinedKey:)`, which by default logs the name and returns
  /// nil. If the value cannot be read, the method returns nil or an empty set, and saves throw the
  /// error. Use `checkedValue(forKey:)` to get an error immediately.
  open func value(forKey key: String) -> Any? {
    let value = readableValue(forKey: key)
    return value is NoSuchKey ? self.value(forUndefinedKey: key) : value
  }

  /// Called by `value(forKey:)` if the key is unknown; an override can return a value.
  ///
  /// This implementation logs the key and returns nil.
  ///
  /// > Reference: Apple, NSObject, value(forUndefinedKey:). Differs: D-006.
  open func value(forUndefinedKey key: String) -> Any? {
    reportUnknown(key)
    return nil
  }

  /// Returns the value of a property; nil for null; `NoSuchKey.marker` for an unknown name.
  ///
  /// `@ReadableByKey` overrides this method, so that the class's own properties take precedence
  /// over the model's properties. Predicates, sort descriptors and section key paths call
  /// ``value(forKey:)``, which calls this method.
  ///
  /// This is an addition to Apple's API.
  open func readableValue(forKey key: String) -> Any? { PropertyValue.named(key, of: self) }

  /// Returns named key paths of properties; empty unless `@ReadableByKey` overrides the method.
  open class func __keyPaths() -> [__NamedKeyPath] { [] }

  /// Sets a property by name; passes an unknown name to `setValue(_:forUndefinedKey:)`.
  ///
  /// Nil stores null. If the model does not allow the value, nothing changes, and the next save
  /// throws `ObjectError`. To get the error immediately, use `setCheckedValue(_:forKey:)`.
  open func setValue(_ value: Any?, forKey key: String) {
    do {
      try setCheckedValue(value, forKey: key)
    } catch {
      if compiledEntity.ordinal(of: key) != nil { return note(error) }
      setValue(value, forUndefinedKey: key)
    }
  }

  /// Called by `setValue(_:forKey:)` if the key is unknown; an override can store the value.
  ///
  /// This implementation changes nothing, and the next save throws `ObjectError`.
  ///
  /// > Reference: Apple, NSObject, setValue(_:forUndefinedKey:). Differs: D-005.
  open func setValue(_ value: Any?, forUndefinedKey key: String) { writeValue(value, forKey: key) }

  // MARK: State

  /// Returns whether another object is the same instance as this object.
  public final override func isEqual(_ object: Any?) -> Bool {
    // The first word of an `Any` with an object is the object's address. A cast would cost more
    // than all other work of a set, so it is made only if the address shows that it will succeed.
    let word = withUnsafeBytes(of: object) { $0.loadUnaligned(as: UInt.self) }
    let own = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    return word == own && object.map { ($0 as AnyObject) === self } ?? false
  }

  /// A hash value of the object's identity.
  public final override var hash: Int {
    Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) &>> 4
  }

  /// A description with the entity, the id and the values that are already loaded.
  ///
  /// > Reference: Apple, NSObject, description. The format is that of Apple's managed objects.
  open override var description: String { ObjectText(of: self).description }

  // The object graph reads the state directly; only key-value coding calls overrides of these.

  /// The object's entity; an empty description if the object has no entity.
  open var entity: NSEntityDescription { compiledEntity.entityDescription }

  /// The context in which the object is registered; nil if the object is not in a context.
  ///
  /// > Concurrency: May be read on any thread.
  open var managedObjectContext: NSManagedObjectContext? {
    registration == .detached ? nil : registry?.sharedContext
  }

  /// The object's id, which is temporary until the object is saved to a store or
  /// `obtainPermanentIDs(for:)` makes the id permanent.
  ///
  /// The id of an object that was never in a context is also temporary. The object keeps the id
  /// when it is inserted into a context.
  ///
  /// > Concurrency: May be read on any thread if the id is permanent.
  open var objectID: NSManagedObjectID { currentID }

  /// Whether the object was inserted and is not yet saved.
  open var isInserted: Bool { observedRegistration == .inserted }
  /// Whether the object was saved before, is not deleted, and has unsaved changes.
  open var isUpdated: Bool { observedRegistration == .persistent && isMarkedUpdated }
  /// Whether the next save deletes the object.
  ///
  /// The value is also true in `prepareForDeletion()`, and in `didSave()` after a deletion.
  open var isDeleted: Bool { observedRegistration == .deleted || flags.contains(.deleting) }
  /// Whether the object was inserted, updated or deleted since the last save.
  open var hasChanges: Bool { isInserted || isUpdated || isDeleted }
  /// Whether the object's values are not loaded; reading this property does not load them.
  open var isFault: Bool {
    noteStandingRead()
    return !contents.hasValues
  }
  /// The faulting state: 1 for a fault, 0 for an object whose values are loaded.
  open var faultingState: Int { isFault ? 1 : 0 }

  /// Whether any persistent property differs from its last fetched or saved value.
  ///
  /// The value is always true for an inserted object.
  open var hasPersistentChangedValues: Bool { CommittedComparison(of: self).hasDifferences }

  /// Returns the properties changed since the last fetch or save, with their new values.
  ///
  /// A property of a saved object is omitted if its value equals the fetched or saved value.
  ///
  /// If a value was set through a primitive accessor, and the object has no other changes, the
  /// value is neither included in the result nor saved.
  ///
  /// - Returns: The new values by property name, with `NSNull` for nil.
  open func changedValues() -> [String: Any] { CommittedComparison(of: self).changedValues() }

  /// Returns the values that were last fetched or saved, ignoring unsaved changes.
  ///
  /// - Parameter keys: The names of the properties; nil for all properties.
  /// - Returns: The values by name, with `NSNull` for nil. Unknown names and transient properties
  ///   are omitted. The dictionary is empty for an object that was never saved.
  open func committedValues(forKeys keys: [String]?) -> [String: Any] {
    CommittedComparison(of: self).committedValues(keys)
  }

  /// The committed snapshot.
  final var row: Row {
    @inline(__always) get {
      // The rows of an entity live as long as the process, whichever chunk contains them.
      guard let chunk else {
        return Row(chunk: DefaultRows.row(of: compiledEntity).chunk, base: base)
      }
      return Row(chunk: chunk, base: base)
    }
    set {
      chunk = newValue.chunk
      base = newValue.base
    }
  }

  /// Removes the row, so that properties without unsaved values are nil.
  @inline(__always)
  final func dropRow() {
    chunk = nil
    base = DefaultRows.emptyBase(of: compiledEntity)
  }

  /// Returns the destination of a to-one relationship if the destination was read.
  final func loadedDestination(_ ordinal: Int) -> NSManagedObject? {
    if let readDestination, Int(readOrdinal) == ordinal { return readDestination }
    return borrowing(extras) { $0.destination(ordinal) } ?? nil
  }

  /// Retains a destination that was read until the object drops its values.
  final func keepDestination(_ object: NSManagedObject, _ ordinal: Int) {
    if readDestination == nil, let place = UInt16(exactly: ordinal) {
      readDestination = object
      readOrdinal = place
    } else {
      borrowing(makeExtras()) { $0.setDestination(object, ordinal) }
    }
  }

  /// Forgets the destination of a relationship that was read.
  final func forgetDestination(_ ordinal: Int) {
    if readDestination != nil, Int(readOrdinal) == ordinal { readDestination = nil }
    extras?.setDestination(nil, ordinal)
  }

  /// Discards values read in addition to the row; called when the object becomes a fault.
  final func forgetLoaded() {
    readDestination = nil
    extras?.removeLoaded()
  }

  /// A view of the committed snapshot, valid while the object has the snapshot.
  final var view: RowView { @inline(__always) get { RowView(base) } }

  /// The context, for work on its queue.
  final var context: NSManagedObjectContext? { registry?.context }

  /// Calls `body` with the context, if there is one, for work on its queue.
  @inline(__always)
  final func withContext(_ body: (NSManagedObjectContext) -> Void) {
    borrowing(registry) { $0.withContext(body) }
  }

  /// The object's store; nil until the store is known.
  final var store: NSPersistentStore? { registry?.store(at: Int(storePosition)) }
}
