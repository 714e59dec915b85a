internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Properties whose value is the result of a fetch.

extension NSManagedObject {
  /// The objects that a fetched property finds; nil when the entity has no fetched property of that name.
  ///
  /// The fetch runs at the first access; its result is kept until the object becomes a fault or is refreshed. Its
  /// predicate may use `$FETCH_SOURCE` for this object and `$FETCHED_PROPERTY` for the property's description,
  /// such as `$FETCHED_PROPERTY.userInfo.limit`. A fetch that fails is reported and finds nothing.
  final func fetchedValue(forKey key: String) -> [NSManagedObject]? {
    guard
      let property = compiledEntity.entityDescription.propertiesByName[key]
        as? NSFetchedPropertyDescription
    else { return nil }
    if let known = extras?.fetched[key] { return known }
    guard let context, let request = property.fetchRequest else { return [] }
    do {
      let objects = try context.fetch(bound(request, property))
      makeExtras().fetched[key] = objects
      return objects
    } catch {
      reportMisuse(
        "The fetched property \(key) of \(compiledEntity.name) could not be fetched: \(error)", key,
        blocksSave: false)
      return []
    }
  }

  private final func bound(
    _ request: NSFetchRequest<any NSFetchRequestResult>, _ property: NSFetchedPropertyDescription
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(copying: request)
    request.resultType = .managedObjectResultType
    request.predicate = request.predicate?.withSubstitutionVariables([
      "FETCH_SOURCE": self, "FETCHED_PROPERTY": FetchedPropertyFacts(property: property),
    ])
    return request
  }
}

/// The description of a fetched property, as its predicate reads it.
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
