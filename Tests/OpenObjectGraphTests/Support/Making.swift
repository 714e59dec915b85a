import Foundation
import OpenCoreData

/// An optional attribute.
func attribute(
  _ name: String, _ type: NSAttributeDescription.AttributeType
) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.type = type
  return attribute
}

extension NSPersistentStoreDescription {
  /// A store of a type, without a URL.
  convenience init(type: String) {
    self.init()
    self.type = type
  }
}

extension NSPersistentContainer {
  /// Returns a container with its stores loaded, or throws the first error.
  static func loaded(
    _ name: String, _ model: NSManagedObjectModel, _ stores: [NSPersistentStoreDescription]
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: name, managedObjectModel: model)
    container.persistentStoreDescriptions = stores
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
    return container
  }
}
