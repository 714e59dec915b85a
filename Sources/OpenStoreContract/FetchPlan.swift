public import OpenObjectModel
public import OpenPredicates

/// The form of a fetch without its constants, created once for each shape of request and cached.
///
/// Stores cache compiled statements by the `identity` of a shape, so the second request of a shape compiles nothing.
public final class FetchShape: Sendable, Hashable {
  public let entity: CompiledEntity
  public let includesSubentities: Bool
  public let filter: Filter?
  public let sort: [SortTerm]
  public let hasLimit: Bool
  public let hasOffset: Bool
  /// Whether the plan has a text query: the result are the rows that it finds in an index, the most relevant ones first, and by
  /// `sort` where equally relevant. For stores with ``StoreCapabilities/textRanking``.
  public let isRanked: Bool
  /// Whether only the number of rows in the plan are ranked, those stored last.
  public let hasCandidateLimit: Bool
  /// The columns of a result of values; nil for a result of rows.
  public let projection: Projection?
  /// Unique in the process, never reused.
  public let identity: UInt64

  public init(
    entity: CompiledEntity, includesSubentities: Bool = true, filter: Filter? = nil,
    sort: [SortTerm] = [], hasLimit: Bool = false, hasOffset: Bool = false,
    isRanked: Bool = false, hasCandidateLimit: Bool = false, projection: Projection? = nil
  ) {
    self.isRanked = isRanked
    self.hasCandidateLimit = hasCandidateLimit
    self.entity = entity
    self.includesSubentities = includesSubentities
    self.filter = filter
    self.sort = sort
    self.hasLimit = hasLimit
    self.hasOffset = hasOffset
    self.projection = projection
    identity = ShapeCounter.next()
  }

  public static func == (one: FetchShape, other: FetchShape) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  /// Entities whose rows may be in the result, as positions in the model.
  public var entityIndexes: Range<Int> {
    includesSubentities ? entity.subtree : entity.index..<entity.index + 1
  }
}

/// The columns of a result of values, and how rows become such results.
public struct Projection: Sendable, Hashable {
  /// One value of each result.
  public struct Column: Sendable, Hashable {
    public var operand: Operand
    /// The attribute type as which the value is stored and returned; nil for the type of the operand.
    public var type: AttributeType?

    public init(_ operand: Operand, type: AttributeType? = nil) {
      self.operand = operand
      self.type = type
    }
  }

  public var columns: [Column]
  /// Rows with equal values of these become one result; empty for none, and then columns with totals make
  /// one result of all rows.
  public var groups: [Operand]
  /// The condition for groups in the result; it may refer to columns.
  public var condition: Filter?
  /// Whether equal results are returned only once.
  public var isDistinct: Bool

  public init(
    columns: [Column], groups: [Operand] = [], condition: Filter? = nil, isDistinct: Bool = false
  ) {
    self.columns = columns
    self.groups = groups
    self.condition = condition
    self.isDistinct = isDistinct
  }
}

/// How to read a row with a missing external file.
public enum MissingFiles: Sendable {
  /// The read throws `StoreError` with code `.missingFile`.
  case fail
  /// The value is read as null; for tools that look at damaged stores.
  case readAsNull
}

/// A fetch ready to run: a shape and the constants of this one request.
public struct FetchPlan: Sendable {
  public let shape: FetchShape
  /// The values that the filter refers to by position.
  public var bindings: [Value]
  /// The maximum number of rows; used only when the shape has a limit.
  public var limit: Int
  /// Rows to skip; used only when the shape has an offset.
  public var offset: Int
  /// Ends the reading before its end; nil for a plan that is always read to its end.
  public var interruption: ReadInterruption?
  /// How to read rows with a missing external file.
  public var missingFiles = MissingFiles.fail
  /// The text query of a ranked plan; used only if the shape is ranked.
  public var textQuery: TextQuery?
  /// The maximum number of rows that are ranked; used only when the shape has a limit of candidates.
  public var candidateLimit = 0

  public init(shape: FetchShape, bindings: [Value] = [], limit: Int = 0, offset: Int = 0) {
    self.shape = shape
    self.bindings = bindings
    self.limit = limit
    self.offset = offset
  }
}

/// One sort key of a plan.
public struct SortTerm: Sendable, Hashable {
  /// How strings are ordered.
  public enum Collation: Sendable, Hashable {
    /// By UTF-8 bytes; other types by value. Nulls first when ascending.
    case binary
    case caseInsensitive
    case localized
    case localizedCaseInsensitive
    case localizedStandard
  }

  public var operand: Operand
  public var isAscending: Bool
  public var collation: Collation

  public init(path: PropertyPath, isAscending: Bool, collation: Collation = .binary) {
    self.init(operand: .property(path), isAscending: isAscending, collation: collation)
  }

  public init(operand: Operand, isAscending: Bool, collation: Collation = .binary) {
    self.operand = operand
    self.isAscending = isAscending
    self.collation = collation
  }
}
