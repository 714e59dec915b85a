internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// A copy of an object's stored attributes, for a new object in another context.
///
/// > Concurrency: A value type; usable on any thread.
// Invariant of the unchecked conformance: attribute values are immutable. Values of transformable
// attributes may be mutable, and are copied.
struct AttributeCopy: @unchecked Sendable {
  private let entityName: String
  /// The values of the attributes by name. The value of an attribute without a value is nil.
  private let values: [String: Any?]

  /// Copies the attributes of an object. Call this initializer on the queue of the object's
  /// context.
  ///
  /// - Throws: The error of a read that failed, or `CocoaError` 133000 if the object's row was
  ///   deleted.
  init(of object: NSManagedObject) throws {
    entityName = object.entity.name ?? ""
    let wasDeleted = object.isDeleted
    let read = { Self.values(of: object) }
    values = try object.managedObjectContext?.throwingFailedReads(read) ?? read()
    // A context that deletes inaccessible faults reads them as objects without values.
    if object.isDeleted && !wasDeleted {
      throw CocoaError(
        .managedObjectReferentialIntegrity,
        userInfo: [
          NSLocalizedDescriptionKey:
            "An object of the entity \(entityName) was deleted from the store. Fetch the objects again.",
          NSAffectedObjectsErrorKey: [object],
        ])
    }
  }

  private static func values(of object: NSManagedObject) -> [String: Any?] {
    var values: [String: Any?] = [:]
    for (name, attribute) in object.entity.attributesByName
    where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
      let value = object.value(forKey: name)
      let isMutable = attribute.attributeType == .transformableAttributeType
      let copy = isMutable ? (value as? any NSCopying)?.copy(with: nil) : nil
      values.updateValue(copy ?? value, forKey: name)
    }
    return values
  }

  /// Inserts an object with the copied values. An attribute without a value remains without a
  /// value, even if the model has a default value for the attribute.
  ///
  /// - Throws: `CocoaError` 134060 if the context's model lacks the entity or an attribute.
  func insert(into context: NSManagedObjectContext) throws -> NSManagedObject {
    let model = context.persistentStoreCoordinator?.managedObjectModel
    guard let entity = model?.entitiesByName[entityName] else {
      throw Self.refusal(
        "The model has no entity \(entityName). Copy only objects of its entities.")
    }
    if let name = values.keys.sorted().first(where: { entity.attributesByName[$0] == nil }) {
      throw Self.refusal(
        "The entity \(entityName) has no attribute \(name) in this model. Copy only objects of the same model."
      )
    }
    let object = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
    for (name, value) in values { object.setValue(value, forKey: name) }
    return object
  }

  private static func refusal(_ message: String) -> CocoaError {
    CocoaError(.coreData, userInfo: [NSLocalizedDescriptionKey: message])
  }
}
