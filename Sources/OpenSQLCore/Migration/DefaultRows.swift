import OpenObjectModel

/// The existing rows that receive the default value of an attribute, or of an element of a
/// composite attribute.
struct DefaultRows: Sendable, Hashable {
  /// The condition that some columns are all null, and that others are not.
  struct Condition: Sendable, Hashable {
    /// The columns that are all null.
    var lacking: [String] = []
    /// A list of columns, at least one of which is not null; empty if all columns may be null.
    var present: [String] = []

    /// Returns the condition as expressions that must all be true.
    func expressions(row alias: String?) -> [SQLExpression] {
      let nulls = lacking.map { SQLExpression.isNull(.column(table: alias, $0)) }
      if present.isEmpty { return nulls }
      return nulls + [.any(present.map { .isNotNull(.column(table: alias, $0)) })]
    }
  }

  /// All rows.
  static let all = DefaultRows(conditions: [Condition()])

  /// The conditions in columns of the source. The rows meet at least one of them.
  private(set) var conditions: [Condition]

  private init(conditions: [Condition]) { self.conditions = conditions }

  /// Determines the rows for one property of a destination entity.
  ///
  /// All rows receive the default value if the attribute is new, or if the element belongs to a new
  /// required part of the attribute. If the attribute, a part of it or the element itself was
  /// optional and is now required, the rows without a value of that part receive the default value.
  /// In rows without a value of an optional part, the elements of this part receive their default
  /// values only if a part that contains the optional part does.
  init(of property: CompiledProperty, in entity: CompiledEntity, _ origins: RelationshipOrigins) {
    let attribute = entity.composite(of: property) ?? property
    guard let source = origins.entity(of: entity.index),
      origins.property(attribute.ordinal, in: entity.index) != nil
    else {
      self = .all
      return
    }
    self = DefaultRows(conditions: [])
    // The columns of the innermost part that is optional.
    var present: [String] = []
    for (depth, isOptional) in entity.optionality(of: property).enumerated() {
      // A part has a source if one of its columns has a source.
      let origin = Self.columns(beside: property, at: depth, of: entity).lazy
        .compactMap { origins.property($0.ordinal, in: entity.index) }.first { $0.slot != nil }
      guard let origin else {
        if !isOptional { add(Condition(present: present)) }
        return
      }
      let slots = Self.columns(beside: origin, at: depth, of: source).compactMap(\.slot)
      let columns = slots.map { origins.source.entities[source.index].columns[$0].name }
      if isOptional {
        present = columns
      } else if source.optionality(of: origin).dropFirst(depth).first == true {
        add(Condition(lacking: columns, present: present))
      }
    }
  }

  /// Adds the rows that meet a condition. They include the rows of an earlier condition with the
  /// same optional part.
  private mutating func add(_ condition: Condition) {
    conditions.removeAll { $0.present == condition.present }
    conditions.append(condition)
  }

  /// Returns the properties with columns that belong to the same part of an attribute as a
  /// property.
  ///
  /// - Parameter depth: The number of names in the path of the part, without the first.
  private static func columns(
    beside property: CompiledProperty, at depth: Int, of entity: CompiledEntity
  ) -> [CompiledProperty] {
    guard let composite = entity.composite(of: property) else { return [property] }
    let part = property.name.split(separator: ".").prefix(depth + 1).joined(separator: ".")
    let elements = (composite.attribute?.elements ?? []).map { entity.properties[$0] }
    return elements.filter { $0.name == part || $0.name.hasPrefix(part + ".") }
  }
}
