import OpenObjectModel

/// Creates the triggers that update derived attributes. Triggers for counts and for paths across a
/// to-one relationship are identical to Apple's, and the other triggers have the same style.
struct DerivationTriggers {
  let schema: SchemaMap
  let dialect: any SQLDialect

  /// Returns the triggers of all entities, with unique names.
  func triggers() -> [SQLCreateTrigger] {
    var used: Set<String> = []
    return schema.entities.flatMap { map in
      map.entity.ownProperties.flatMap { triggers(for: $0, of: map) }
    }.map { trigger in
      var trigger = trigger
      let name = trigger.name
      var suffix = 0
      while !used.insert(trigger.name).inserted {
        suffix += 1
        trigger.name = name + String(suffix)
      }
      return trigger
    }
  }

  /// Returns the triggers of an attribute; empty if the attribute is not derived or its derivation
  /// refers to properties that the model does not contain.
  private func triggers(
    for property: CompiledProperty, of map: EntityMap
  ) -> [SQLCreateTrigger] {
    guard let derivation = property.attribute?.derivation, let slot = property.slot else {
      return []
    }
    let column = DerivedColumn(
      entityName: map.entity.name, attributeName: property.name, table: map.table,
      column: map.columns[slot].name)
    switch derivation {
    case .value(let steps): return triggers(for: column, path: steps, of: map) { $0 }
    case .text(let function, let steps):
      return triggers(for: column, path: steps, of: map) { value in
        .function(name(of: function), [value])
      }
    case .count(let name): return storage(of: name, in: map).map { counting($0, column) } ?? []
    case .sum(let name, let attribute): return sum(of: attribute, over: name, column, map)
    case .now:
      return column.sourceTriggers(
        watching: ["Z_OPT"], set: .function(dialect.saveTimeFunction, []))
    }
  }

  func name(of function: Derivation.TextFunction) -> String {
    switch function {
    case .canonical: dialect.function(.canonical)
    case .uppercase: dialect.function(.uppercase)
    case .lowercase: dialect.function(.lowercase)
    }
  }

  func relationship(
    _ name: String, of map: EntityMap
  ) -> (property: CompiledProperty, destination: EntityMap)? {
    guard let property = map.property(named: name), let relationship = property.relationship else {
      return nil
    }
    return (property, schema.entities[relationship.destinationIndex])
  }

  func storage(of name: String, in map: EntityMap) -> ToManyStorage? {
    relationship(name, of: map).flatMap { schema.storage(of: $0.property) }
  }
}
