public import OpenObjectModel
public import OpenPredicates

/// A predicate with resolved names and extracted constants.
///
/// Stores translate filters to statements, or evaluate filters in memory.
///
/// Logic is three-valued: a comparison with a null is unknown, and a row is in the result only if
/// the filter is true. A filter refers to constants by their positions in the plan's bindings, so
/// filters that differ only in constants are equal.
public indirect enum Filter: Sendable, Hashable {
  /// Always true or always false.
  case constant(Bool)
  /// The conjunction of filters.
  case and([Filter])
  /// The disjunction of filters.
  case or([Filter])
  /// The negation of a filter; unknown if the filter is unknown.
  case not(Filter)
  /// The comparison `left operation right` is true; the options apply to strings.
  case comparison(Operand, ComparisonOperator, Operand, StringOptions)
  /// The operand is null; the result is never unknown.
  case isNull(Operand)
  /// The operand equals a member of a list; `list` is the position of the list in the plan's
  /// bindings, and nulls in the list never match.
  case isMember(Operand, list: Int, StringOptions)
  /// The first operand is not less than the second operand, and not greater than the third operand.
  case isBetween(Operand, Operand, Operand)
  /// At least one destination at the end of the path satisfies the filter.
  ///
  /// The filter's paths start at the destination.
  case exists(RelationshipPath, Filter)
  /// True if the filter is true; false if the filter is false or unknown.
  case isTrue(Filter)
  /// The texts of the object at the end of the path contain the words of a query; the result is
  /// never unknown.
  ///
  /// The keys of `attributes` are the possible entities of the object, as positions in the model.
  /// The values of `attributes` are the ordinals of the searched attributes. `query` is the
  /// position of the query in the plan's bindings.
  case containsWords(PropertyPath, attributes: [Int: [Int]], query: Int)
  /// The object at the end of the path has one of the entities, given as positions in the model;
  /// unknown if there is no object.
  case isKind(PropertyPath, entities: [Int])
}

/// A value that a filter compares, that a sort term orders, or that a column returns.
public indirect enum Operand: Sendable, Hashable {
  /// A constant, identified by its position in the plan's bindings.
  case binding(Int)
  /// A property of the row, or of a row reached through to-one relationships.
  case property(PropertyPath)
  /// The entity number of the object at the end of the path: the entity's position in the model
  /// plus 1.
  case entityNumber(PropertyPath)
  /// The number of destinations of a to-many relationship that satisfy a filter; nil counts all
  /// destinations.
  ///
  /// The filter's paths start at the destination.
  case count(RelationshipPath, where: Filter? = nil)
  /// An aggregate of an operand over the destinations of a to-many relationship that satisfy a
  /// filter.
  ///
  /// If there are no such destinations, a count is 0, and any other aggregate is null. The
  /// operand's and the filter's paths start at the destination.
  case aggregate(Aggregate, RelationshipPath, Operand, where: Filter? = nil)
  /// A function of the operands; the string is the function's name in predicates (see
  /// `ValueFunction`).
  case function(String, [Operand])
  /// The first operand if the filter is true; otherwise the second operand.
  case conditional(Filter, Operand, Operand)
  /// An aggregate over the rows of a result's group, or over all rows if the plan has no groups.
  ///
  /// If there are no values, a count or a sum is 0, and any other aggregate is null.
  ///
  /// This operand is allowed only in columns and in conditions on groups.
  case total(Aggregate, Operand, isDistinct: Bool = false)
  /// The number of rows in the group from which a result is computed.
  ///
  /// This operand is allowed only in columns and in conditions on groups.
  case rowCount
  /// A column of the result, by position.
  ///
  /// This operand is allowed only in conditions on groups and in sort terms.
  case column(Int)
}

extension Operand {
  /// Whether the operand contains ``total(_:_:isDistinct:)`` or ``rowCount``, whose values are
  /// computed from a group of rows.
  public var hasTotal: Bool {
    switch self {
    case .total, .rowCount: true
    case .function(_, let operands): operands.contains { $0.hasTotal }
    case .conditional(_, let first, let second): first.hasTotal || second.hasTotal
    case .binding, .property, .entityNumber, .count, .aggregate, .column: false
    }
  }
}

/// An aggregate over the destinations of a to-many relationship, or over the rows of a group.
public enum Aggregate: String, Sendable, Hashable {
  /// The sum, the average, the least or the greatest of the values that are not null.
  case sum, average, minimum, maximum
  /// The number of values that are not null.
  case count
}

/// A path that follows to-one relationships to a property or an object.
public struct PropertyPath: Sendable, Hashable {
  /// The end of the path.
  public enum End: Sendable, Hashable {
    /// An attribute or to-one relationship, by its position among the properties of the path's last
    /// entity.
    case property(ordinal: Int)
    /// The last object of the path itself.
    case object
  }

  /// The entity at which the path starts, as a position in the model.
  public var entityIndex: Int
  /// The to-one relationships to follow, each by its position among the properties of the entity
  /// that the path has reached.
  public var steps: [Int]
  public var end: End
  /// The nesting level at which the path starts, counted outward.
  ///
  /// At level 0, the path starts at the row on which the filter itself is evaluated. At level 1,
  /// the path starts at the row of the next outer filter.
  public var level: Int

  public init(entityIndex: Int, steps: [Int] = [], end: End, level: Int = 0) {
    self.entityIndex = entityIndex
    self.steps = steps
    self.end = end
    self.level = level
  }

  /// Returns the entity that the path reaches after all steps.
  public func reachedEntity(in model: CompiledModel) -> CompiledEntity {
    steps.reduce(model.entities[entityIndex]) { entity, ordinal in
      entity.properties[ordinal].relationship.map { model.entities[$0.destinationIndex] } ?? entity
    }
  }

  /// Returns the property at the end of the path; nil if the path ends with an object.
  public func property(in model: CompiledModel) -> CompiledProperty? {
    guard case .property(let ordinal) = end else { return nil }
    return reachedEntity(in: model).properties[ordinal]
  }

  /// Returns the number that identifies, in the process, the root entity of the objects at the end
  /// of the path; nil if the path ends with an attribute.
  package func rootToken(in model: CompiledModel) -> UInt32? {
    guard let property = property(in: model) else { return reachedEntity(in: model).rootToken }
    return property.relationship.map { model.entities[$0.destinationIndex].rootToken }
  }
}

/// A path that follows to-one relationships and ends with a to-many relationship.
public struct RelationshipPath: Sendable, Hashable {
  public var entityIndex: Int
  /// The to-one relationships to follow first, each by its position among the properties of the
  /// entity that the path has reached.
  public var steps: [Int]
  /// The to-many relationship, by its position among the properties of the entity that the steps
  /// reach.
  public var ordinal: Int
  /// The nesting level at which the path starts; see ``PropertyPath/level``.
  public var level: Int

  public init(entityIndex: Int, steps: [Int] = [], ordinal: Int, level: Int = 0) {
    self.entityIndex = entityIndex
    self.steps = steps
    self.ordinal = ordinal
    self.level = level
  }
}
