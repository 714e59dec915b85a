public import OpenObjectModel
public import OpenPredicates

/// A predicate with resolved names and extracted constants, which stores translate or evaluate.
///
/// Logic is three-valued: a comparison with a null is unknown, and a row is in the result only if the filter is true.
/// Constants are positions in the plan's bindings, so equal shapes compare equal.
public indirect enum Filter: Sendable, Hashable {
  case constant(Bool)
  case and([Filter])
  case or([Filter])
  case not(Filter)
  /// `left operation right`; text operations use the options.
  case comparison(Operand, ComparisonOperator, Operand, StringOptions)
  /// True for null, false otherwise; never unknown.
  case isNull(Operand)
  /// Operand equals a member of the list bound at a position. Nulls in the list match nothing.
  case isMember(Operand, list: Int, StringOptions)
  /// lower <= operand and operand <= upper.
  case isBetween(Operand, Operand, Operand)
  /// At least one destination at the end of the path satisfies the filter, whose paths start there.
  case exists(RelationshipPath, Filter)
  /// True where the filter is true, false where it is false or unknown.
  case isTrue(Filter)
  /// The texts of the object at the end of the path contain the words of the query bound at a position; never unknown.
  ///
  /// The texts are the attributes by ordinal, for each entity that the object may be of by its position in the model.
  case containsWords(PropertyPath, attributes: [Int: [Int]], query: Int)
  /// The object at the end of the path is there and of one of the entities, as positions in the model.
  case isKind(PropertyPath, entities: [Int])
}

/// A value of a comparison.
public indirect enum Operand: Sendable, Hashable {
  /// Constant: a position in the plan's bindings.
  case binding(Int)
  /// Property of the row, or of a row reached over to-one relationships.
  case property(PropertyPath)
  /// The number of the entity of the object at the end of the path: its position plus 1.
  case entityNumber(PropertyPath)
  /// The number of destinations of a to-many relationship, of those that satisfy the filter if there is one.
  ///
  /// The filter's paths start at the destination.
  case count(RelationshipPath, where: Filter? = nil)
  /// An aggregate of an operand over the destinations of a to-many relationship that satisfy the filter; null if there are none. The
  /// paths of the operand start at the destination.
  case aggregate(Aggregate, RelationshipPath, Operand, where: Filter? = nil)
  /// Function of operands, by the name that predicates have for it; see `ValueFunction`.
  case function(String, [Operand])
  /// The first operand where the filter is true, else the second.
  case conditional(Filter, Operand, Operand)
  /// Aggregate over the rows of a result's group, or over all rows; in columns and conditions on groups only.
  case total(Aggregate, Operand, isDistinct: Bool = false)
  /// The number of rows of a result's group; in columns and conditions on groups only.
  case rowCount
  /// A column of the result by position; in conditions on groups and sort terms only.
  case column(Int)
}

extension Operand {
  /// Whether a total over the rows of a group takes part.
  public var hasTotal: Bool {
    switch self {
    case .total, .rowCount: true
    case .function(_, let operands): operands.contains { $0.hasTotal }
    case .conditional(_, let first, let second): first.hasTotal || second.hasTotal
    case .binding, .property, .entityNumber, .count, .aggregate, .column: false
    }
  }
}

/// Aggregates over the destinations of a to-many relationship, or over the rows of a group.
public enum Aggregate: String, Sendable, Hashable {
  case sum, average, minimum, maximum
  /// The number of values that are not null.
  case count
}

/// A property at the end of to-one relationships.
public struct PropertyPath: Sendable, Hashable {
  /// The end of the path.
  public enum End: Sendable, Hashable {
    /// An attribute or to-one relationship, by ordinal in the entity reached.
    case property(ordinal: Int)
    /// The object reached itself.
    case object
  }

  /// Entity where the path starts, as a position in the model.
  public var entityIndex: Int
  /// To-one relationships to follow, by ordinal in the entity reached so far.
  public var steps: [Int]
  public var end: End
  /// The number of filters on destinations to leave before the path starts: 0 for the row of the filter, 1 for the
  /// outer row.
  public var level: Int

  public init(entityIndex: Int, steps: [Int] = [], end: End, level: Int = 0) {
    self.entityIndex = entityIndex
    self.steps = steps
    self.end = end
    self.level = level
  }

  /// The entity reached after all steps.
  ///
  /// - Returns: The entity reached after all steps.
  public func reachedEntity(in model: CompiledModel) -> CompiledEntity {
    steps.reduce(model.entities[entityIndex]) { entity, ordinal in
      entity.properties[ordinal].relationship.map { model.entities[$0.destinationIndex] } ?? entity
    }
  }

  /// The property at the end, or nil for the object itself.
  ///
  /// - Returns: The property; nil for the object itself.
  public func property(in model: CompiledModel) -> CompiledProperty? {
    guard case .property(let ordinal) = end else { return nil }
    return reachedEntity(in: model).properties[ordinal]
  }
}

/// A to-many relationship at the end of to-one relationships.
public struct RelationshipPath: Sendable, Hashable {
  public var entityIndex: Int
  /// To-one relationships to follow first.
  public var steps: [Int]
  /// The to-many relationship, by ordinal in the entity reached.
  public var ordinal: Int
  /// As in ``PropertyPath/level``.
  public var level: Int

  public init(entityIndex: Int, steps: [Int] = [], ordinal: Int, level: Int = 0) {
    self.entityIndex = entityIndex
    self.steps = steps
    self.ordinal = ordinal
    self.level = level
  }
}
