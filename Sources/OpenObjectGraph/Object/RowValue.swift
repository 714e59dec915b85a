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
    guard let slot = property.slot, !object.row.isNull(slot) else { return false }
    return object.row.value(of: property, in: object.compiledEntity.model) == .null
  }

  /// Notes that a stored string is not valid UTF-8.
  ///
  /// - Returns: Always nil, the value of the property.
  @inline(never)
  static func unreadableText(of object: NSManagedObject, _ ordinal: Int) -> String? {
    noteUnreadable(object.compiledEntity.properties[ordinal], of: object)
    return nil
  }

  private static func noteUnreadable(_ property: CompiledProperty, of object: NSManagedObject) {
    var error = StoreError.unreadableValue(inRow: object.key)
    error.path = object.store?.url?.path
    error.entityName = object.compiledEntity.name
    error.propertyName = property.name
    object.noteUnread(error, "The attribute \(property.name) of \(object.currentID)")
  }
}
