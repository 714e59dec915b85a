internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Packs what a batch insertion is given into rows. Confined to one request.
struct BatchRows {
  private let entity: CompiledEntity
  private let defaults: Row
  private var writer = RowWriter()
  private(set) var rows: [Row] = []

  init(of entity: CompiledEntity) {
    self.entity = entity
    defaults = DefaultRows.row(of: entity)
  }

  /// The rows that a request asks for.
  ///
  /// - Parameter type: The class of the entity's objects.
  static func rows(
    of request: NSBatchInsertRequest, _ entity: CompiledEntity, _ type: NSManagedObject.Type
  ) throws -> [Row] {
    var rows = BatchRows(of: entity)
    if let dictionaries = request.objectsToInsert {
      for dictionary in dictionaries { try rows.add(dictionary) }
    } else if let handler = request.dictionaryHandler {
      try rows.addDictionaries(handler)
    } else if let handler = request.managedObjectHandler {
      try rows.addObjects(type, handler)
    } else {
      throw CocoaError.make(
        .coreData, "A batch insertion needs dictionaries or a handler that gives them.")
    }
    return rows.rows
  }

  private mutating func addDictionaries(_ handler: (NSMutableDictionary) -> Bool) throws {
    while true {
      let dictionary = NSMutableDictionary()
      if handler(dictionary) { return }
      var values: [String: Any] = [:]
      for (key, value) in dictionary {
        guard let name = key as? String else {
          throw CocoaError.make(.coreData, "A key of a batch insertion is no text: \(key).")
        }
        values[name] = value
      }
      try add(values)
    }
  }

  private mutating func addObjects(
    _ type: NSManagedObject.Type, _ handler: (NSManagedObject) -> Bool
  ) throws {
    let attributes = entity.properties.filter { property in
      property.slot != nil && !property.isElement && property.attribute?.derivation == nil
        || property.attribute?.elements.isEmpty == false
    }
    while true {
      let object = type.init(__materializing: entity.entityDescription)
      if handler(object) { return }
      var values: [String: Any] = [:]
      for property in attributes where property.attribute != nil {
        values[property.name] = object.value(forKey: property.name) ?? NSNull()
      }
      try add(values)
    }
  }

  /// Packs the row of one dictionary.
  ///
  /// - Throws: `CocoaError` for a key that is no attribute, a value of another type, or 1570 when an
  ///   attribute that is not optional has no value.
  private mutating func add(_ dictionary: [String: Any]) throws {
    var values: [SlotValue] = []
    values.reserveCapacity(dictionary.count)
    for (key, value) in dictionary { try append(value, key, to: &values) }
    let row = writer.row(of: entity, key: 0, version: 1, over: defaults, values: values)
    for property in entity.properties where !property.isOptional {
      guard let slot = property.slot, property.attribute?.derivation == nil,
        property.attribute != nil, row.isNull(slot)
      else { continue }
      throw CocoaError.make(
        .validationMissingMandatoryProperty,
        "The attribute \(property.name) of \(entity.name) must have a value in a batch insertion.",
        userInfo: [NSValidationKeyErrorKey: property.name])
    }
    rows.append(row)
  }

  private func append(_ value: Any, _ key: String, to values: inout [SlotValue]) throws {
    guard let ordinal = entity.ordinal(of: key),
      let attribute = entity.properties[ordinal].attribute, attribute.derivation == nil
    else { throw unknown(key) }
    if !attribute.elements.isEmpty {
      let given = value as? [String: Any] ?? [:]
      let elements = NSManagedObject.flattened(given, below: key)
      for (element, value) in elements { try append(value, element, to: &values) }
      return
    }
    guard let slot = entity.properties[ordinal].slot else { return }
    values.append(
      SlotValue(
        slot: slot, content: try BatchValue.content(value, entity.properties[ordinal], entity)))
  }

  private func unknown(_ key: String) -> CocoaError {
    CocoaError.make(
      .coreData,
      "A batch insertion of \(entity.name) names \"\(key)\", which is no attribute that can be set. "
        + "Use the model's attribute names; relationships cannot be set.")
  }
}

/// Turns the values of batch requests into what stores keep.
enum BatchValue {
  /// A constant as the attribute's column has it.
  static func content(
    _ given: Any, _ property: CompiledProperty, _ entity: CompiledEntity
  ) throws -> SlotContent {
    let value = try value(given, property, entity)
    if let slot = property.slot, let content = SlotContent(value, as: entity.slots[slot].kind) {
      return content
    }
    throw unfit(property, entity)
  }

  /// A constant as a value of the attribute's type.
  static func value(
    _ given: Any, _ property: CompiledProperty, _ entity: CompiledEntity
  ) throws -> Value {
    if given is NSNull { return .null }
    guard let attribute = property.attribute else { throw unfit(property, entity) }
    if attribute.type == .transformable {
      return .data(try AttributeTransform.data(from: given))
    }
    guard let value = AttributeConversion.value(given, as: attribute.type) else {
      throw unfit(property, entity)
    }
    return value
  }

  static func unfit(_ property: CompiledProperty, _ entity: CompiledEntity) -> CocoaError {
    CocoaError.make(
      StoreError(
        .unfitValue, "A value of a batch request does not fit its property; give one of its type.",
        entityName: entity.name, propertyName: property.name))
  }
}
