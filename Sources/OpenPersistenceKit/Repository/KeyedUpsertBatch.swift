internal import Foundation
public import OpenCoreData
internal import OpenObjectGraph
internal import OpenPredicates

/// Finds or creates the objects of a page by their keys, with one fetch for all of them.
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
/// Keys are strings (``UpsertBatch``), integers, UUIDs, or of a type that conforms to ``UpsertKey``. Objects without a key
/// are never found.
///
/// Strings are compared like Swift strings: a key in composed form (NFC) finds an object stored under the decomposed
/// form (NFD), and vice versa. If objects with both forms are stored, the exact one is found.
///
/// Deleted or detached objects are not returned. Keys that were not among the values of the page are fetched one by
/// one when they are accessed.
///
/// > Concurrency: Confined to the queue of its context.
/// > Reference: Addition.
public final class KeyedUpsertBatch<Entity: NSManagedObject, Key: UpsertKey> {
  private let context: NSManagedObjectContext
  private let key: String
  private let prefetching: [String]
  private var objects: [Key: Entity] = [:]
  /// Keys that were looked for in the store, whether there was an object or not.
  private var fetchedKeys: Set<Key> = []
  /// The number of objects created.
  public private(set) var insertedCount = 0

  /// Fetches the existing objects.
  ///
  /// - Parameters:
  ///   - context: The context of the objects.
  ///   - key: The name of the attribute that identifies objects.
  ///   - values: The keys of the page; duplicates are allowed.
  ///   - prefetching: Relationships to prefetch.
  /// - Throws: The error of the fetch; `CocoaError` 134060 for a key that is no attribute of the keys' type.
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

  /// Fetches the existing objects by the property that identifies them.
  ///
  /// - Parameters:
  ///   - context: The context of the objects.
  ///   - keyPath: The attribute that identifies objects.
  ///   - identifiers: The keys of the page; duplicates are allowed.
  ///   - prefetching: Relationships to prefetch.
  /// - Throws: The error of the fetch; `CocoaError` 134060 for a property that is not an attribute of the keys' type.
  public convenience init(
    in context: NSManagedObjectContext, identifiedBy keyPath: KeyPath<Entity, Key>,
    identifiers: some Sequence<Key>, prefetching: [String] = []
  ) throws {
    try self.init(
      in: context, key: NSExpression(forKeyPath: keyPath).keyPath, values: identifiers,
      prefetching: prefetching)
  }

  /// Fetches the existing objects by an optional property that identifies them.
  ///
  /// - Parameters:
  ///   - context: The context of the objects.
  ///   - keyPath: The attribute that identifies objects; objects without a value are not found.
  ///   - identifiers: The keys of the page; duplicates are allowed.
  ///   - prefetching: Relationships to prefetch.
  /// - Throws: The error of the fetch; `CocoaError` 134060 for a property that is not an attribute of the keys' type.
  public convenience init(
    in context: NSManagedObjectContext, identifiedBy keyPath: KeyPath<Entity, Key?>,
    identifiers: some Sequence<Key>, prefetching: [String] = []
  ) throws {
    try self.init(
      in: context, key: NSExpression(forKeyPath: keyPath).keyPath, values: identifiers,
      prefetching: prefetching)
  }

  /// The existing object of a key, saved or created by this batch.
  ///
  /// A key that was not among the values is fetched. If the fetch fails, the result is nil, and every save throws its
  /// error until the context is rolled back or reset.
  ///
  /// - Returns: The existing object of a key, saved or created by this batch; nil if there is none.
  public func existing(_ value: Key) -> Entity? {
    do { return try find(value) } catch {
      context.deferFailedRead(error, of: placeholder)
      return nil
    }
  }

  /// The object of a key; created with the key if it does not exist.
  ///
  /// A key that was not among the values is fetched. If the fetch fails, the returned object has no context, so
  /// nothing is stored twice, and every save throws the error until the context is rolled back or reset;
  /// `object(for:)` throws it immediately.
  public subscript(value: Key) -> Entity {
    do { return try object(for: value) } catch {
      let object = placeholder
      context.deferFailedRead(error, of: object)
      return object
    }
  }

  /// The object of a key; created with the key if it does not exist.
  ///
  /// - Parameter value: Any key; one that was not among the values is fetched.
  /// - Returns: The object of a key.
  /// - Throws: The error of the fetch; in that case nothing is inserted.
  public func object(for value: Key) throws -> Entity {
    if let object = try find(value) { return object }
    let object = Entity(context: context)
    object.setValue(value.storedValues.first, forKey: key)
    objects[value] = object
    insertedCount += 1
    return object
  }

  /// All objects, by key, without those that were deleted.
  public var all: [Key: Entity] { objects.filter { isUsable($0.value) } }

  // MARK: Finding

  private func find(_ value: Key) throws -> Entity? {
    if let object = objects[value] {
      if isUsable(object) { return object }
      // It was deleted here, or its context was reset: the store knows whether there is one.
      objects[value] = nil
      fetchedKeys.remove(value)
    }
    if !fetchedKeys.contains(value) { try fetch([value]) }
    return objects[value]
  }

  /// An object of no context, instead of one that could not be read.
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

  /// Whether an object is handed out rather than another one of an equal key: by the exact form, then by age.
  private func isBetter(_ object: Entity, than rival: Entity, for value: Key) -> Bool {
    let isExact = [object, rival].map { object in
      object.value(forKey: key).map { value.isExactly($0) } ?? false
    }
    if isExact[0] != isExact[1] { return isExact[0] }
    let (own, other) = (object.objectID, rival.objectID)
    if own.isTemporaryID != other.isTemporaryID { return other.isTemporaryID }
    return own.key < other.key
  }

  /// An attribute of another type would find nothing, so that every object would be made anew.
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
            "\"\(key)\" is no attribute of the entity \(name) for keys of the type \(Key.self); objects cannot be found by it."
        ])
    }
  }
}

/// A ``KeyedUpsertBatch`` whose keys are strings.
///
/// > Reference: Addition.
public typealias UpsertBatch<Entity: NSManagedObject> = KeyedUpsertBatch<Entity, String>
