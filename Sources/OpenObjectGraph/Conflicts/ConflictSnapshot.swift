internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The values that a conflict reports for an object.
enum ConflictSnapshot {
  /// Returns the attribute values and the ids of the to-one destinations of a row, by the names of
  /// the properties.
  ///
  /// Stored values that cannot be decoded are omitted, because a policy would otherwise take them
  /// for nil.
  ///
  /// - Parameters:
  ///   - object: The object of the row.
  ///   - row: The row; nil for the values of the object with its edits.
  static func values(of object: NSManagedObject, in row: Row?) -> [String: Any] {
    let entity = object.compiledEntity
    var values: [String: Any] = [:]
    for property in entity.properties where property.slot != nil {
      if row == nil, case .boxed(let box)? = object.edits[property.ordinal] {
        values[property.name] = box.value
        continue
      }
      let stored = row ?? (object.edits.contains(property.ordinal) ? nil : object.row)
      let value =
        stored.map { $0.value(of: property, in: entity.model) } ?? object.packedValue(property)
      if case .null = value, let stored,
        RowValue.isUnreadable(property, in: stored, entity.model)
      {
        continue
      }
      values[property.name] = anyValue(of: value, property, object)
    }
    return values
  }

  /// Returns a value in the form of key-value coding; nil for a value that cannot be decoded.
  private static func anyValue(
    of value: Value, _ property: CompiledProperty, _ object: NSManagedObject
  ) -> Any? {
    guard let relationship = property.relationship else {
      guard property.attribute?.type == .transformable, case .data(let data) = value else {
        return value.anyValue ?? NSNull()
      }
      do throws(ModelError) {
        let decoded = try AttributeTransform.value(
          from: data, property, of: object.compiledEntity)
        return decoded ?? NSNull()
      } catch {
        // The error was logged.
        return nil
      }
    }
    guard case .object(let reference) = value else { return NSNull() }
    return NSManagedObjectID(
      store: object.store,
      entity: object.compiledEntity.model.entities[relationship.destinationIndex],
      key: reference.key)
  }
}
