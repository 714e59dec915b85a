internal import Foundation
public import OpenCoreData

/// Finds or makes the objects of a page by their keys, with one fetch for all of them.
///
/// ```swift
/// let users = try UpsertBatch<User>(in: context, key: "userID", values: page.posts.map(\.authorID))
/// for post in page.posts {
///   let author = users[post.authorID]
///   author.update(\.username, to: post.authorName)
/// }
/// ```
///
/// > Concurrency: Confined to the queue of its context.
public final class UpsertBatch<Entity: NSManagedObject> {
  private let context: NSManagedObjectContext
  private let key: String
  private var objects: [String: Entity] = [:]
  /// Number of objects that had to be made.
  public private(set) var insertedCount = 0

  /// Fetches the objects that exist already.
  ///
  /// - Parameters:
  ///   - context: Where the objects live.
  ///   - key: Name of the text attribute that tells objects apart.
  ///   - values: The keys of the page; duplicates are allowed.
  ///   - prefetching: Relationships to read along.
  /// - Throws: What the fetch throws.
  public init(
    in context: NSManagedObjectContext, key: String, values: some Sequence<String>,
    prefetching: [String] = []
  ) throws {
    self.context = context
    self.key = key
    let wanted = Set(values)
    guard !wanted.isEmpty else { return }
    let request: NSFetchRequest<Entity> = Entity.fetchRequest()
    request.predicate = NSPredicate(format: "%K IN %@", argumentArray: [key, wanted.sorted()])
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = prefetching
    for object in try context.fetch(request) {
      if let value = object.value(forKey: key) as? String { objects[value] = object }
    }
  }

  /// Fetches the objects that exist already, by the property that tells them apart.
  ///
  /// - Parameters:
  ///   - context: Where the objects live.
  ///   - keyPath: The text attribute that tells objects apart.
  ///   - identifiers: The keys of the page; duplicates are allowed.
  ///   - prefetching: Relationships to read along.
  /// - Throws: What the fetch throws.
  public convenience init(
    in context: NSManagedObjectContext, identifiedBy keyPath: KeyPath<Entity, String>,
    identifiers: some Sequence<String>, prefetching: [String] = []
  ) throws {
    try self.init(
      in: context, key: NSExpression(forKeyPath: keyPath).keyPath, values: identifiers,
      prefetching: prefetching)
  }

  /// The object of a key that exists already, saved or made by this batch.
  public func existing(_ value: String) -> Entity? { objects[value] }

  /// The object of a key, made and given the key when there is none.
  public subscript(value: String) -> Entity {
    if let object = objects[value] { return object }
    let object = Entity(context: context)
    object.setValue(value, forKey: key)
    objects[value] = object
    insertedCount += 1
    return object
  }

  /// All objects, by key.
  public var all: [String: Entity] { objects }
}

extension NSFetchRequestResult where Self: NSManagedObject {
  /// Assigns a property only if the value differs, so that unchanged objects are not written.
  ///
  /// - Returns: Whether the value was assigned.
  @discardableResult
  public func update<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<Self, Value>, to value: Value
  ) -> Bool {
    guard self[keyPath: property] != value else { return false }
    self[keyPath: property] = value
    return true
  }

  /// Assigns a property only if there is a value and it differs.
  @discardableResult
  public func updateIfPresent<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<Self, Value?>, to value: Value?
  ) -> Bool {
    guard let value else { return false }
    return update(property, to: value)
  }
}
