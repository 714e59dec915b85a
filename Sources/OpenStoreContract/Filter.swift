public import OpenObjectModel
public import OpenPredicates

/// A predicate with its names resolved and its constants taken out: what stores translate or evaluate.
///
/// Logic is three-valued as in SQL: a comparison with a null is unknown, and a row is in the result only
/// when the filter is true. Constants are positions in the plan's bindings, so that equal shapes compare equal.
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
}

/// A value of a comparison.
public indirect enum Operand: Sendable, Hashable {
  /// Constant: a position in the plan's bindings.
  case binding(Int)
  /// Property of the row, or of a row reached over to-one relationships.
  case property(PropertyPath)
  /// Number of destinations of a to-many relationship.
  case count(RelationshipPath)
  /// Aggregate of an attribute over the destinations of a to-many relationship; null for none.
  case aggregate(Aggregate, RelationshipPath, PropertyPath)
  /// Function of operands: "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:",
  /// "abs:", "length:", "uppercase:", "lowercase:", "canonical:".
  case function(String, [Operand])
}

/// Aggregates over a to-many relationship.
public enum Aggregate: String, Sendable, Hashable {
  case sum, average, minimum, maximum
}

/// A property at the end of to-one relationships.
public struct PropertyPath: Sendable, Hashable {
  /// What stands at the end.
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

  public init(entityIndex: Int, steps: [Int] = [], end: End) {
    self.entityIndex = entityIndex
    self.steps = steps
    self.end = end
  }

  /// The entity reached after all steps.
  public func reachedEntity(in model: CompiledModel) -> CompiledEntity {
    steps.reduce(model.entities[entityIndex]) { entity, ordinal in
      entity.properties[ordinal].relationship.map { model.entities[$0.destinationIndex] } ?? entity
    }
  }

  /// The property at the end, or nil for the object itself.
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

  public init(entityIndex: Int, steps: [Int] = [], ordinal: Int) {
    self.entityIndex = entityIndex
    self.steps = steps
    self.ordinal = ordinal
  }
}
