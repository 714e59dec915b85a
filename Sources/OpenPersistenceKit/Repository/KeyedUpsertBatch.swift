internal import Foundation
public import OpenCoreData
internal import OpenObjectGraph
internal import OpenPredicates

/// A batch that finds or creates objects by key, with one fetch for all keys.
///
/// ```swift
/// let users = try UpsertBatch<User>(in: context, key: "userID", values: page.posts.map(\.authorID))
/// for post in page.posts {
///   let author = users[post.authorID]
///   author.update(\.username, to: post.authorName)
/// }
/// let songs = try KeyedUpsertBatch(in: context, identifiedBy: \Song.trackID, identifiers: list.map(\.trackID))
/// ```
///
/// Keys are strings (``UpsertBatch``), integers, UUIDs, or values of another type that conforms to
/// ``UpsertKey``. The batch never finds objects whose key is nil.
///
/// Strings are compared like Swift strings: a key in composed form (NFC) finds an object whose
/// stored key is in decomposed form (NFD), and vice versa. If the store contains an object for each
/// form, the batch returns the object whose key has exactly the given form.
///
/// If an object was deleted or detached after the batch found it, the batch searches the store for
/// the object's key again. If a key was not passed to the initializer, the batch fetches the object
/// for this key when the key is first used.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: Confined to the queue of the objects' context.
public final class KeyedUpsertBatch<Entity: NSManagedObject, Key: UpsertKey> {
  private let context: NSManagedObjectContext
  private let key: String
  private let prefetching: [String]
  private var objects: [Key: Entity] = [:]
  /// The keys that were already searched for in the store, including keys without an object.
  private var fetchedKeys: Set<Key> = []
  /// The number of objects that the batch created.
  public private(set) var insertedCount = 0

  /// Creates a batch, and fetches the existing objects whose key is one of the given values.
  ///
  /// - Parameters:
  ///   - context: The context of the objects.
  ///   - key: The name of the attribute that contains an object's key.
  ///   - values: The keys of the objects. Duplicates are allowed.
  ///   - prefetching: The key paths of the relationships to prefetch; empty to prefetch none.
  /// - Throws: Any error that the fetch throws; `CocoaError` 134060 if `key` is not an attribute of
  ///   the keys' type.
  public init(
    in context: NSManagedObjectContext, key: String, values: some Sequence<Key>,
    prefetching: [String] = []
  ) throws {
    self.context = context
    self.key = key
    self.prefetching = prefetching
    try checkKey()
    try fetch(Set(values))
  }

  /// Creates a batch, and fetches the existing objects whose key is one of the given identifiers.
  ///
  /// - Parameters:
  ///   - context: The context of the objects.
  ///   - keyPath: The key path of the property that contains an object's key.
  ///   - identifiers: The keys of the objects. Duplicates are allowed.
  ///   - prefetching: The key paths of the relationships to prefetch; empty to prefetch none.
  /// - Throws: Any error that the fetch throws; `CocoaError` 134060 if the property is not an
  ///   attribute of the keys' type.
  public convenience init(
    in context: NSManagedObjectContext, identifiedBy keyPath: KeyPath<Entity, Key>,
    identifiers: some Sequence<Key>, prefetching: [String] = []
  ) throws {
    try self.init(
      in: context, key: NSExpression(forKeyPath: keyPath).keyPath, values: identifiers,
      prefetching: prefetching)
  }

  /// Creates a batch, and fetches the existing objects whose optional key is one of the given
  /// identifiers.
  ///
  /// - Parameters:
  ///   - context: The context of the objects.
  ///   - keyPath: The key path of the property that contains an object's key. The batch does not
  ///     find objects whose property is nil.
  ///   - identifiers: The keys of the objects. Duplicates are allowed.
  ///   - prefetching: The key paths of the relationships to prefetch; empty to prefetch none.
  /// - Throws: Any error that the fetch throws; `CocoaError` 134060 if the property is not an
  ///   attribute of the keys' type.
  public convenience init(
    in context: NSManagedObjectContext, identifiedBy keyPath: KeyPath<Entity, Key?>,
    identifiers: some Sequence<Key>, prefetching: [String] = []
  ) throws {
    try self.init(
      in: context, key: NSExpression(forKeyPath: keyPath).keyPath, values: identifiers,
      prefetching: prefetching)
  }

  /// Returns the existing object with the given key, and never creates an object.
  ///
  /// If the key was not passed to the initializer, the method fetches the object. If this fetch
  /// fails, the result is nil. Every save of the context then throws the fetch's error until the
  /// context is rolled back or reset.
  ///
  /// - Parameter value: The key.
  /// - Returns: The object, or nil if there is none.
  public func existing(_ value: Key) -> Entity? {
    do { return try find(value) } catch {
      context.deferFailedRead(error, of: placeholder)
      return nil
    }
  }

  /// The object with the given key.
  ///
  /// If there is no such object, the subscript creates an object.
  ///
  /// If the key was not passed to the initializer, the subscript fetches the object. If this fetch
  /// fails, the result is an object without a context, and no save stores this object. Every save
  /// of the batch's context then throws the fetch's error until the context is rolled back or
  /// reset. ``object(for:)`` instead throws the error immediately.
  ///
  /// - Parameter value: The key.
  public subscript(value: Key) -> Entity {
    do { return try object(for: value) } catch {
      let object = placeholder
      context.deferFailedRead(error, of: object)
      return object
    }
  }

  /// Returns the object with the given key.
  ///
  /// If there is no such object, the method creates an object.
  ///
  /// - Parameter value: The key. If the key was not passed to the initializer, the method fetches
  ///   the object.
  /// - Returns: The existing or new object.
  /// - Throws: Any error that the fetch throws. After an error, no object is inserted.
  public func object(for value: Key) throws -> Entity {
    if let object = try find(value) { return object }
    let object = Entity(context: context)
    object.setValue(value.storedValues.first, forKey: key)
    objects[value] = object
    insertedCount += 1
    return object
  }

  /// The objects that the batch fetched or created, by key. Deleted and detached objects are
  /// excluded.
  public var all: [Key: Entity] { objects.filter { isUsable($0.value) } }

  // MARK: Finding

  private func find(_ value: Key) throws -> Entity? {
    if let object = objects[value] {
      if isUsable(object) { return object }
      // The object was deleted in this context, or the context was reset. Only the store knows
      // whether an object with the key exists.
      objects[value] = nil
      fetchedKeys.remove(value)
    }
    if !fetchedKeys.contains(value) { try fetch([value]) }
    return objects[value]
  }

  /// An object without a context, which replaces an object that could not be read.
  private var placeholder: Entity { Entity(__materializing: Entity.entity()) }

  private func isUsable(_ object: Entity) -> Bool {
    !object.isDeleted && object.managedObjectContext === context
  }

  private func fetch(_ wanted: Set<Key>) throws {
    guard !wanted.isEmpty else { return }
    let request: NSFetchRequest<Entity> = Entity.fetchRequest()
    request.predicate = NSPredicate(
      format: "%K IN %@", argumentArray: [key, wanted.flatMap(\.storedValues)])
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = prefetching
    for object in try context.fetch(request) {
      guard let value = object.value(forKey: key).flatMap({ Key(storedValue: $0) }),
        let place = wanted.firstIndex(of: value)
      else { continue }
      if let rival = objects[value], !isBetter(object, than: rival, for: wanted[place]) { continue }
      objects[value] = object
    }
    fetchedKeys.formUnion(wanted)
  }

  /// Returns whether an object is preferred to another object with an equal key. An object with the
  /// exact form of the key is preferred, then a saved object, then the object that was saved first.
  private func isBetter(_ object: Entity, than rival: Entity, for value: Key) -> Bool {
    let isExact = [object, rival].map { object in
      object.value(forKey: key).map { value.isExactly($0) } ?? false
    }
    if isExact[0] != isExact[1] { return isExact[0] }
    let (own, other) = (object.objectID, rival.objectID)
    if own.isTemporaryID != other.isTemporaryID { return other.isTemporaryID }
    return own.key < other.key
  }

  /// Checks the type of the key attribute. With a wrong type, no objects would be found, and all
  /// objects would be created a second time.
  private func checkKey() throws {
    let request: NSFetchRequest<Entity> = Entity.fetchRequest()
    guard let name = request.entityName,
      let entity = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
    else { return }  // The fetch throws.
    let type = entity.attributesByName[key]?.attributeType
    guard let type, Key.attributeTypes.contains(type) else {
      throw CocoaError(
        .coreData,
        userInfo: [
          NSLocalizedDescriptionKey:
            "Objects cannot be found by \"\(key)\" because the entity \(name) has no such attribute for keys of the type \(Key.self)."
        ])
    }
  }
}

/// A ``KeyedUpsertBatch`` whose keys are strings, such as `UpsertBatch<User>`.
///
/// This is an addition to Apple's API.
public typealias UpsertBatch<Entity: NSManagedObject> = KeyedUpsertBatch<Entity, String>
