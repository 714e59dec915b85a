internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Packs the values of a batch insertion into rows, a few hundred at a time.
///
/// > Concurrency: Confined to one request.
struct BatchRows {
  /// The source of the values.
  private enum Source {
    case dictionaries(IndexingIterator<[[String: Any]]>)
    case dictionaryHandler((NSMutableDictionary) -> Bool)
    case objectHandler((NSManagedObject) -> Bool, NSManagedObject.Type)
  }

  /// The number of rows in a portion: small enough for memory, large enough that the cost of a
  /// portion is negligible.
  private static let portion = 500

  private let entity: CompiledEntity
  private let defaults: Row
  /// Attributes that must have a value, with their slots. An element of an optional composite
  /// attribute must have a value only if one of the slots in `group` has one.
  private let mandatory: [(property: CompiledProperty, slot: Int, group: [Int]?)]
  /// The attributes that have a slot and are not computed.
  private let settable: OrdinalSet
  private var source: Source
  private var isAtEnd = false
  private var writer = RowWriter()
  /// The elements of composite attributes that the current dictionary sets.
  private var setElements: Set<Int> = []

  /// Creates the requested rows.
  ///
  /// - Parameter type: The class of the entity's objects.
  /// - Throws: `CocoaError` for a request that has neither dictionaries nor a handler.
  init(
    of request: NSBatchInsertRequest, _ entity: CompiledEntity, _ type: NSManagedObject.Type
  ) throws {
    if let dictionaries = request.objectsToInsert {
      source = .dictionaries(dictionaries.makeIterator())
    } else if let handler = request.dictionaryHandler {
      source = .dictionaryHandler(handler)
    } else if let handler = request.managedObjectHandler {
      source = .objectHandler(handler, type)
    } else {
      throw CocoaError.make(
        .coreData, "The batch insert request has neither dictionaries nor a handler.")
    }
    self.entity = entity
    defaults = DefaultRows.row(of: entity)
    settable = OrdinalSet(
      entity.properties.filter {
        $0.slot != nil && $0.attribute.map { $0.derivation == nil } == true
      }
      .map(\.ordinal))
    mandatory = entity.properties.compactMap { property in
      guard !property.isOptional, let attribute = property.attribute,
        attribute.derivation == nil, let slot = property.slot
      else { return nil }
      return (property, slot, entity.optionalGroup(of: property)?.compactMap(\.slot))
    }
  }

  /// Packs the rows of all portions before a store is locked.
  ///
  /// - Returns: The packed rows.
  /// - Throws: The same errors as ``next()``.
  mutating func spooled() throws -> RowSpool {
    let spool = RowSpool()
    while try next() { try spool.append(writer.chunks) }
    return spool
  }

  /// Packs the next portion of rows.
  ///
  /// - Returns: true if the portion contains rows; false if there are no more rows.
  /// - Throws: `CocoaError` 134060 if a key is not the name of an attribute, or if a dictionary
  ///   sets an element of a composite attribute twice; `CocoaError` 134030 if a value has the wrong
  ///   type; `CocoaError` 1570 if a mandatory attribute has no value.
  private mutating func next() throws -> Bool {
    var count = 0
    writer = RowWriter()
    while !isAtEnd, count < Self.portion {
      guard let row = try nextRow() else {
        isAtEnd = true
        break
      }
      try checkMandatory(row)
      count += 1
    }
    return count > 0
  }

  private mutating func nextRow() throws -> Row? {
    switch source {
    case .dictionaries(var rest):
      guard let dictionary = rest.next() else { return nil }
      source = .dictionaries(rest)
      return try row(of: dictionary)
    case .dictionaryHandler(let handler):
      let dictionary = BatchDictionary(of: entity)
      return handler(dictionary) ? nil : try row(of: dictionary)
    case .objectHandler(let handler, let type):
      let object = type.init(__materializing: entity.entityDescription)
      let isEnd = handler(object)
      try requireFree(object)
      return isEnd ? nil : try row(of: object)
    }
  }

  /// Checks that a handler did not insert its object into a context.
  ///
  /// If the handler did, for example because it set a relationship to an object of a context, the
  /// method removes the object from the context again. A later save would insert a second row.
  ///
  /// - Throws: `CocoaError` 134060 if the object is in a context.
  private func requireFree(_ object: NSManagedObject) throws {
    if object.registration == .detached { return }
    if object.registration == .inserted {
      for property in entity.properties {
        guard let relationship = property.relationship else { continue }
        let edit = RelationshipEdit(object, property.ordinal)
        if relationship.isToMany { edit?.setMembers([]) } else { edit?.setDestination(nil) }
      }
      object.detach()
    }
    throw CocoaError.make(
      .coreData,
      "The handler of the batch insert request for \(entity.name) inserted its object into a context, for example by "
        + "setting a relationship to an object of a context. Set only attributes.")
  }

  private mutating func row(of dictionary: BatchDictionary) throws -> Row {
    beginDictionary()
    try dictionary.forEach { property, value in try put(value, property) }
    return writer.finishRow(of: entity, key: 0, version: 1)
  }

  private mutating func row(of dictionary: [String: Any]) throws -> Row {
    beginDictionary()
    for (key, value) in dictionary {
      guard let ordinal = entity.ordinal(of: key) else { throw BatchValue.unknown(key, entity) }
      try put(value, entity.properties[ordinal])
    }
    return writer.finishRow(of: entity, key: 0, version: 1)
  }

  private mutating func beginDictionary() {
    writer.beginRow(over: defaults.view)
    setElements.removeAll(keepingCapacity: true)
  }

  /// Packs the attributes that a handler set.
  private mutating func row(of object: NSManagedObject) throws -> Row {
    if let misuse = object.extras?.misuse { throw BatchValue.error(for: misuse, entity) }
    writer.beginRow(over: defaults.view)
    try object.edits.forEach { ordinal, edit in
      guard settable.contains(ordinal) else { return }
      do throws(StoreError) { try writer.put(edit, ordinal, of: entity) } catch {
        throw BatchValue.unfit(edit, entity.properties[ordinal], entity)
      }
    }
    return writer.finishRow(of: entity, key: 0, version: 1)
  }

  private func checkMandatory(_ row: Row) throws {
    for (property, slot, group) in mandatory where row.isNull(slot) {
      if let group, group.allSatisfy(row.isNull) { continue }
      throw CocoaError.make(
        .validationMissingMandatoryProperty,
        "The attribute \(property.name) of \(entity.name) is required, but a row of the batch insert request has no "
          + "value for it.",
        userInfo: [NSValidationKeyErrorKey: property.name])
    }
  }

  /// Packs a value into the current row.
  private mutating func put(_ value: Any, _ property: CompiledProperty) throws {
    if settable.contains(property.ordinal), let slot = property.slot {
      // A dictionary has no order, so it does not show which value applies.
      if property.isElement, !setElements.insert(property.ordinal).inserted {
        throw BatchValue.repeated(property, entity)
      }
      let content = try BatchValue.content(value, property, entity)
      guard writer.place(content, slot, of: entity) else {
        throw BatchValue.unfit(property, entity)
      }
      return
    }
    guard let attribute = property.attribute, attribute.derivation == nil else {
      throw BatchValue.unknown(property.name, entity)
    }
    guard !attribute.elements.isEmpty else { return }
    let whole = BatchValue.unwrapped(value)
    let composite = try BatchValue.composite(whole, property, entity)
    for element in attribute.elements.map({ entity.properties[$0] })
    where settable.contains(element.ordinal) && (whole is NSNull || composite.hasNull(element)) {
      try put(NSNull(), element)
    }
    for (name, value) in composite.elements {
      guard let ordinal = entity.ordinal(of: name) else { throw BatchValue.unknown(name, entity) }
      try put(value, entity.properties[ordinal])
    }
  }
}

/// Converts the values of batch requests to stored values.
enum BatchValue {
  /// Converts a constant to the contents of the attribute's column.
  static func content(
    _ given: Any, _ property: CompiledProperty, _ entity: CompiledEntity
  ) throws -> SlotContent {
    let value = try value(given, property, entity)
    if let slot = property.slot, let content = SlotContent(value, as: entity.slots[slot].kind) {
      return content
    }
    throw unfit(property, entity)
  }

  /// Returns the value of an optional, or `NSNull` for an empty optional. Any other value is
  /// returned unchanged.
  ///
  /// A dictionary with values of the type `Any` may contain optionals.
  static func unwrapped(_ given: Any) -> Any {
    guard let optional = given as? any OptionalWrapping else { return given }
    return optional.wrapped ?? NSNull()
  }

  /// Returns the elements of a composite attribute's value, which are a dictionary or null.
  static func composite(
    _ given: Any, _ property: CompiledProperty, _ entity: CompiledEntity
  ) throws -> CompositeValue {
    if given is NSNull { return CompositeValue([:], named: property.name, of: entity) }
    guard let elements = given as? [String: Any] else { throw unfit(property, entity) }
    return CompositeValue(elements, named: property.name, of: entity)
  }

  /// Converts a constant to a value of the attribute's type.
  static func value(
    _ given: Any, _ property: CompiledProperty, _ entity: CompiledEntity
  ) throws -> Value {
    if type(of: given) == NSNull.self { return .null }
    guard let attribute = property.attribute else { throw unfit(property, entity) }
    if attribute.type == .transformable {
      let content = unwrapped(given)
      if content is NSNull { return .null }
      do throws(ModelError) {
        return .data(try AttributeTransform.data(from: content, property))
      } catch {
        throw unarchivable(error, property, entity)
      }
    }
    guard let value = AttributeConversion.value(given, as: attribute.type) else {
      throw unfit(property, entity)
    }
    if let failure = UnfitValue(value, for: property, of: entity) { throw failure.error }
    return value
  }

  /// The error for a value that a handler of a batch insertion set on an object.
  static func unfit(
    _ edit: EditValue, _ property: CompiledProperty, _ entity: CompiledEntity
  ) -> CocoaError {
    switch edit {
    case .value(let value):
      return UnfitValue(value, for: property, of: entity)?.error ?? unfit(property, entity)
    case .boxed(let box):
      do throws(ModelError) { _ = try AttributeTransform.data(from: box.value, property) } catch {
        return unarchivable(error, property, entity)
      }
      return unfit(property, entity)
    case .object: return unfit(property, entity)
    }
  }

  /// Returns the error to throw for a misuse of the object that a batch insertion's handler fills.
  static func error(for misuse: any Error, _ entity: CompiledEntity) -> any Error {
    guard let misuse = misuse as? ObjectError else { return misuse }
    guard let key = misuse.propertyName else { return CocoaError.make(.coreData, "\(misuse)") }
    guard let ordinal = entity.ordinal(of: key), entity.properties[ordinal].attribute != nil else {
      return unknown(key, entity)
    }
    return CocoaError.make(
      StoreError(.unfitValue, misuse.message, entityName: entity.name, propertyName: key))
  }

  private static func unarchivable(
    _ error: ModelError, _ property: CompiledProperty, _ entity: CompiledEntity
  ) -> CocoaError {
    .make(
      .managedObjectValidation,
      "The value of \(entity.name).\(property.name) cannot be archived: \(error.message)",
      userInfo: [NSValidationKeyErrorKey: property.name])
  }

  static func unknown(_ key: String, _ entity: CompiledEntity) -> CocoaError {
    CocoaError.make(
      .coreData,
      "The batch insert request for \(entity.name) sets \"\(key)\", which is not an attribute that can be set. "
        + "Use the attribute names in the model. Relationships cannot be set.")
  }

  static func repeated(_ property: CompiledProperty, _ entity: CompiledEntity) -> CocoaError {
    CocoaError.make(
      .coreData,
      "A row of the batch insert request for \(entity.name) has several values for \"\(property.name)\". "
        + "Set a composite attribute either as a whole or by its elements.")
  }

  static func unfit(_ property: CompiledProperty, _ entity: CompiledEntity) -> CocoaError {
    CocoaError.make(
      StoreError(
        .unfitValue,
        "A value cannot be stored in its property. Use a value of the property's type.",
        entityName: entity.name, propertyName: property.name))
  }
}
