internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Converts the values of a batch update to assignments to columns.
///
/// > Concurrency: Confined to one request.
struct BatchAssignments {
  let entity: CompiledEntity
  private var constants: [(property: CompiledProperty, value: Any)] = []
  private var expressions: [(property: CompiledProperty, node: ExpressionNode)] = []
  /// The ordinals of the properties that have a value.
  private var known: Set<Int> = []

  /// Sorts the values of a request into constants and expressions.
  ///
  /// - Throws: `CocoaError` 134060 for a key that is not a stored attribute or a to-one
  ///   relationship, and for two keys of one property; `CocoaError` 134030 for the value of a
  ///   composite attribute that is not a dictionary.
  init(_ values: [AnyHashable: Any], of entity: CompiledEntity) throws {
    self.entity = entity
    for (key, value) in values {
      for (name, value) in try named(value, key) { try add(value, name) }
    }
    constants.sort { $0.property.ordinal < $1.property.ordinal }
    expressions.sort { $0.property.ordinal < $1.property.ordinal }
  }

  /// Returns the name and value of the property under a key; for a composite attribute, those of
  /// each element.
  private func named(_ value: Any, _ key: AnyHashable) throws -> [(String, Any)] {
    let name: String
    switch key.base {
    case let text as String: name = text
    case let property as NSPropertyDescription: name = property.name
    default: throw unknown("\(key.base)")
    }
    guard let ordinal = entity.ordinal(of: name),
      let elements = entity.properties[ordinal].attribute?.elements, !elements.isEmpty
    else { return [(name, value)] }
    let value = try Self.plain(value)
    let given = try BatchValue.composite(value, entity.properties[ordinal], entity).elements
    let names = elements.map { entity.properties[$0].name }
    if let other = Set(given.keys).subtracting(names).min() { throw unknown(other) }
    return names.map { ($0, given[$0] ?? NSNull()) }
  }

  private mutating func add(_ value: Any, _ name: String) throws {
    guard let ordinal = entity.ordinal(of: name), entity.properties[ordinal].slot != nil,
      entity.properties[ordinal].attribute?.derivation == nil
    else { throw unknown(name) }
    let property = entity.properties[ordinal]
    let inverse = property.relationship.flatMap { entity.model.inverse(of: $0) }
    if inverse?.relationship?.isToMany == false { throw pair(name) }
    guard known.insert(ordinal).inserted else { throw repeated(name) }
    let value = try Self.plain(value)
    guard let expression = value as? OpenPredicates.NSExpression else {
      constants.append((property, value))
      return
    }
    guard property.relationship == nil else { throw unknown(name) }
    expressions.append((property, expression.node))
  }

  /// Returns the value of a constant expression or of an optional; any other value is returned
  /// unchanged.
  private static func plain(_ given: Any) throws -> Any {
    let value = BatchValue.unwrapped(given)
    guard let expression = value as? OpenPredicates.NSExpression else { return value }
    if let error = expression.formatError { throw error }
    guard case .constant(let constant) = expression.node else { return expression }
    return constant.anyValue ?? NSNull()
  }

  private func unknown(_ name: String) -> CocoaError {
    CocoaError.make(
      .coreData,
      "Invalid property \"\(name)\" in propertiesToUpdate of \(entity.name). Use the name or description "
        + "of a stored attribute, or of a to-one relationship whose new value is an object."
    )
  }

  private func repeated(_ name: String) -> CocoaError {
    CocoaError.make(
      .coreData,
      "The propertiesToUpdate of \(entity.name) have several values for \"\(name)\". Use either the name or the "
        + "description of a property as its key, and set a composite attribute either as a whole or by its elements."
    )
  }

  private func pair(_ name: String) -> CocoaError {
    CocoaError.make(
      .coreData,
      "The batch update request for \(entity.name) sets \"\(name)\". A batch update cannot set a one-to-one relationship, "
        + "because the relationship also changes objects that the request does not select. Set the relationship "
        + "of the objects, and save them."
    )
  }

  /// The expressions as columns of a plan, so that the planner plans the expressions together with
  /// the predicate.
  var projection: ProjectionRequest? {
    if expressions.isEmpty { return nil }
    let columns = expressions.map {
      ProjectionRequest.Column(name: $0.property.name, node: $0.node, type: nil, isExpression: true)
    }
    return ProjectionRequest(
      columns: columns, groups: [], isDistinct: false, entityNumbersOf: [])
  }

  /// Returns the update for one store.
  func update(_ plan: FetchPlan, in store: NSPersistentStore) throws -> BatchUpdate {
    var update = BatchUpdate(plan: plan.addressing(store) { $0 }, assignments: [])
    let columns = plan.shape.projection?.columns ?? []
    for (column, expression) in zip(columns, expressions) {
      guard let slot = expression.property.slot else { continue }
      if column.operand.hasTotal { throw unknown(expression.property.name) }
      try requireFit(column.operand, expression.property)
      update.assignments.append(BatchUpdate.Assignment(slot: slot, operand: column.operand))
    }
    for (property, value) in constants { try add(value, property, store, to: &update) }
    return update
  }

  /// Throws if an expression copies a property of a type that the attribute to set cannot have.
  private func requireFit(_ operand: Operand, _ attribute: CompiledProperty) throws {
    guard case .property(let path) = operand else { return }
    let reached = path.reachedEntity(in: entity.model)
    let source =
      try path.property(in: entity.model).map { try ValueKind($0, in: reached) }
      ?? ValueKind(objectsOf: reached)
    let target = try ValueKind(attribute, in: entity)
    let isConverted = source.family == .number && [.text, .date].contains(target.family)
    guard isConverted || target.accepts(source) else { throw BatchValue.unfit(attribute, entity) }
  }

  private func add(
    _ given: Any, _ property: CompiledProperty, _ store: NSPersistentStore,
    to update: inout BatchUpdate
  ) throws {
    guard let slot = property.slot else { return }
    func assign(_ value: Value, _ slot: Int) {
      update.assignments.append(
        BatchUpdate.Assignment(slot: slot, operand: .binding(update.plan.bindings.count)))
      update.plan.bindings.append(value)
    }
    guard let relationship = property.relationship else {
      return assign(try BatchValue.value(given, property, entity), slot)
    }
    let id = (given as? NSManagedObject)?.currentID ?? given as? NSManagedObjectID
    let destination = entity.model.entities[relationship.destinationIndex]
    if id == nil, !(given is NSNull) { throw BatchValue.unfit(property, entity) }
    if let id,
      id.isTemporaryID || id.store?.identifier != store.identifier
        || !destination.subtree.contains(id.compiledEntity.index)
    {
      throw BatchValue.unfit(property, entity)
    }
    if let id {
      update.referenced.append(ObjectKey(entityIndex: id.compiledEntity.index, key: id.key))
    }
    assign(id.map { .int($0.key) } ?? .null, slot)
    if let discriminator = relationship.discriminatorSlot {
      assign(id.map { .int(Int64($0.compiledEntity.index) + 1) } ?? .null, discriminator)
    }
  }
}
