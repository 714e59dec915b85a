internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// A managed object as predicates evaluate it, with its unsaved changes.
struct ObjectSubject: FilterSubject {
  let object: NSManagedObject

  var filterReference: ObjectReference { object.reference }

  var filterEntityIndex: Int { object.compiledEntity.index }

  func filterValue(_ ordinal: Int) throws -> Value { value(ofStored: ordinal) }

  /// Returns the value of an attribute or of a to-one relationship.
  func value(ofStored ordinal: Int) -> Value {
    object.realizeIfNeeded()
    guard ordinal < object.compiledEntity.properties.count else { return .null }
    return borrowing(object.compiledEntity.properties[ordinal]) { property in
      guard property.relationship != nil else { return object.packedValue(property) }
      return DestinationLookup.reference(ordinal, of: object).map { .object($0) } ?? .null
    }
  }

  func filterDestination(_ ordinal: Int) throws -> ObjectSubject? {
    object.destination(ordinal).map(ObjectSubject.init)
  }

  func filterDestinations(_ ordinal: Int) throws -> [ObjectSubject] {
    object.members(ordinal).map(ObjectSubject.init)
  }
}
