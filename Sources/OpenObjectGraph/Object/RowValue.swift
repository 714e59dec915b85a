internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Reads values from an object's row.
///
/// Another program may have stored bytes that are not a value of the property's type. Such a value
/// is read as nil, and saves throw the error (D-009).
///
/// > Concurrency: Call on the queue of the object's context.
enum RowValue {
  /// Returns the stored value of a property; `.null` if there is none or if it cannot be decoded.
  static func value(of property: CompiledProperty, in object: NSManagedObject) -> Value {
    let row = object.row
    let value = row.value(of: property, in: object.compiledEntity.model)
    if case .null = value, let slot = property.slot, !row.isNull(slot) {
      noteUnreadable(property, of: object)
    }
    return value
  }

  /// Returns whether the row has a value of a property that cannot be decoded.
  static func isUnreadable(_ property: CompiledProperty, in object: NSManagedObject) -> Bool {
    isUnreadable(property, in: object.row, object.compiledEntity.model)
  }

  /// Returns whether a row has a value of a property that cannot be decoded.
  static func isUnreadable(
    _ property: CompiledProperty, in row: Row, _ model: CompiledModel
  ) -> Bool {
    guard let slot = property.slot, !row.isNull(slot) else { return false }
    return row.value(of: property, in: model) == .null
  }

  /// Returns the slots of the object's row whose contents cannot be decoded.
  static func unreadableSlots(of object: NSManagedObject) -> OrdinalSet {
    // A new object has only default values.
    guard object.chunk != nil else { return OrdinalSet() }
    return OrdinalSet(
      object.compiledEntity.properties.lazy.filter { isUnreadable($0, in: object) }
        .compactMap(\.slot))
  }

  /// Notes that a stored string is not valid UTF-8.
  ///
  /// - Returns: Always nil, the value of the property.
  @inline(never)
  static func unreadableText(of object: NSManagedObject, _ ordinal: Int) -> String? {
    noteUnreadable(object.compiledEntity.properties[ordinal], of: object)
    return nil
  }

  /// Notes that a property's stored value cannot be decoded, or could not be decoded when a save
  /// replaced it.
  static func noteUnreadable(_ property: CompiledProperty, of object: NSManagedObject) {
    let error = StoreError.unreadableValue(
      of: property, in: object.compiledEntity, row: object.key, path: object.store?.url?.path)
    UnreadableValues.report(
      property, of: object.compiledEntity,
      "The attribute \(property.name) of \(object.currentID) cannot be read: \(error)")
    object.context?.deferredErrors.noteFailedRead(of: object, error)
  }
}
