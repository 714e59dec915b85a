internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// A property of one object whose value is the result of a fetch.
///
/// The fetch runs at the first access. The object keeps the result until it becomes a fault or is
/// refreshed, or the user info of the property's description is set. The request's predicate may
/// use `$FETCH_SOURCE` for the object and `$FETCHED_PROPERTY` for the property's description, such
/// as `$FETCHED_PROPERTY.userInfo.limit`.
///
/// > Concurrency: Confined to the context's queue.
struct FetchedProperty {
  private let object: NSManagedObject
  private let property: NSFetchedPropertyDescription

  /// Creates the fetched property with the given name; nil if the object's entity has none.
  init?(_ key: String, of object: NSManagedObject) {
    guard
      let property = object.compiledEntity.entityDescription.propertiesByName[key]
        as? NSFetchedPropertyDescription
    else { return nil }
    self.object = object
    self.property = property
  }

  /// Returns the objects that the fetch finds; a failed fetch is reported and returns none.
  func objects() -> [NSManagedObject] {
    do {
      return try fetch()
    } catch {
      object.reportMisuse(
        "The fetched property \(property.name) of \(object.compiledEntity.name) could not be "
          + "fetched: \(error)", property.name, blocksSave: false)
      return []
    }
  }

  /// Returns the objects that the fetch finds.
  ///
  /// - Throws: The error of the fetch.
  func fetch() throws -> [NSManagedObject] {
    let revision = property.userInfoRevision
    if let known = object.extras?.fetched[property.name], known.userInfoRevision == revision {
      return known.objects
    }
    guard let context = object.context, let request = property.fetchRequest else { return [] }
    let objects = try context.fetch(bound(request))
    object.makeExtras().fetched[property.name] = FetchedObjects(
      objects: objects, userInfoRevision: revision)
    return objects
  }

  private func bound(
    _ request: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(copying: request)
    request.resultType = .managedObjectResultType
    request.predicate = request.predicate?.withSubstitutionVariables([
      "FETCH_SOURCE": object, "FETCHED_PROPERTY": FetchedPropertyFacts(property: property),
    ])
    return request
  }
}

/// The result of a fetched property, which its object keeps.
struct FetchedObjects {
  let objects: [NSManagedObject]
  /// The revision of the description's user info that the fetch used.
  let userInfoRevision: Int
}

/// The facts about a fetched property that its predicate can read.
private struct FetchedPropertyFacts: KeyValueReadable {
  let property: NSFetchedPropertyDescription

  func readableValue(forKey key: String) -> Any? {
    switch key {
    case "name": property.name
    case "userInfo":
      Dictionary(
        (property.userInfo ?? [:]).compactMap { key, value in
          (key.base as? String).map { ($0, value) }
        }, uniquingKeysWith: { first, _ in first })
    default: NoSuchKey.marker
    }
  }
}
