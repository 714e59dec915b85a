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

  func filterValue(_ ordinal: Int) throws -> Value {
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

extension SortTerm {
  /// The order of two values under this term.
  func order(_ one: Value, _ other: Value) -> ComparisonResult {
    let ascending = textOrder(one, other) ?? Value.order(one, other) ?? .orderedSame
    if isAscending { return ascending }
    switch ascending {
    case .orderedAscending: return .orderedDescending
    case .orderedDescending: return .orderedAscending
    case .orderedSame: return .orderedSame
    }
  }

  private func textOrder(_ one: Value, _ other: Value) -> ComparisonResult? {
    guard collation != .binary, case .string(let one) = one, case .string(let other) = other
    else { return nil }
    switch collation {
    case .binary: return nil
    case .caseInsensitive: return StringMatch.compare(one, other, .caseInsensitive)
    case .localized: return StringMatch.compare(one, other, .localeSensitive)
    case .localizedCaseInsensitive, .localizedStandard:
      return StringMatch.compare(one, other, [.caseInsensitive, .localeSensitive])
    }
  }
}
