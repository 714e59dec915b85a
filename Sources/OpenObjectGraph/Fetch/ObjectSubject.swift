internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// A managed object as filters see it: with its unsaved changes.
struct ObjectSubject: FilterSubject {
  let object: NSManagedObject

  var filterReference: ObjectReference {
    ObjectReference(
      entityToken: object.compiledEntity.rootIdentity, storeToken: object.store?.token ?? 0,
      key: object.key)
  }

  var filterEntityIndex: Int { object.compiledEntity.index }

  func filterValue(_ ordinal: Int) throws -> Value { value(ofStored: ordinal) }

  /// The value of an attribute, or of a to-one relationship.
  func value(ofStored ordinal: Int) -> Value {
    object.realizeIfNeeded()
    guard ordinal < object.compiledEntity.properties.count else { return .null }
    let property = object.compiledEntity.properties[ordinal]
    if property.relationship != nil {
      return object.destination(ordinal).map { .object(ObjectSubject(object: $0).filterReference) }
        ?? .null
    }
    return object.packedValue(property)
  }

  func filterDestination(_ ordinal: Int) throws -> ObjectSubject? {
    object.destination(ordinal).map(ObjectSubject.init)
  }

  func filterDestinations(_ ordinal: Int) throws -> [ObjectSubject] {
    object.members(ordinal).map(ObjectSubject.init)
  }
}
