public import OpenObjectModel
public import OpenPredicates

/// A fetch request without its constants.
///
/// Requests that differ only in their constants share a shape. Stores cache compiled statements by
/// the `identity` of the shape, so only the first of these requests compiles a statement.
public final class FetchShape: Sendable, Hashable {
  public let entity: CompiledEntity
  public let includesSubentities: Bool
  public let filter: Filter?
  public let sort: [SortTerm]
  public let hasLimit: Bool
  public let hasOffset: Bool
  /// Whether the plan has a text query.
  ///
  /// If true, the result contains the rows that the query finds in a text index. The most relevant
  /// rows come first, and `sort` orders equally relevant rows. A ranked plan requires a store with
  /// ``StoreCapabilities/textRanking``.
  public let isRanked: Bool
  /// Whether the store ranks only the most recently stored matches, up to the number
  /// ``FetchPlan/candidateLimit``.
  public let hasCandidateLimit: Bool
  /// The columns of the result if the plan returns values; nil if the plan returns rows.
  public let projection: Projection?
  /// A number that identifies the shape; unique in the process and never reused.
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

  /// The entities whose rows may be in the result, as positions in the model.
  public var entityIndexes: Range<Int> {
    includesSubentities ? entity.subtree : entity.index..<entity.index + 1
  }
}

/// The columns and groups of a plan that returns values instead of rows.
public struct Projection: Sendable, Hashable {
  /// A column of a projection. Each column provides one value for each result.
  public struct Column: Sendable, Hashable {
    public var operand: Operand
    /// The attribute type of the returned values; nil if the values have the operand's type.
    public var type: AttributeType?

    public init(_ operand: Operand, type: AttributeType? = nil) {
      self.operand = operand
      self.type = type
    }
  }

  public var columns: [Column]
  /// The operands by which rows are grouped: rows with equal values of all operands become one
  /// result.
  ///
  /// If the array is empty and a column contains an aggregate, all rows become one result.
  public var groups: [Operand]
  /// The condition that a group must satisfy to be in the result; nil if all groups are in the
  /// result.
  ///
  /// The condition may refer to columns.
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

/// How a read treats a value whose external file is missing, or whose stored form does not fit the
/// type of its property.
public enum DamagedValues: Sendable {
  /// The read throws `StoreError` with code `.missingFile` or `.corrupt`.
  case fail
  /// The read returns null for the value; tools that inspect damaged stores use this case.
  case readAsNull
}

/// A fetch that is ready to run: a shape, and the constants of one request.
public struct FetchPlan: Sendable {
  public let shape: FetchShape
  /// The constants of the request, to which the shape refers by position.
  public var bindings: [Value]
  /// The maximum number of rows; used only when the shape has a limit.
  public var limit: Int
  /// The number of rows to skip; used only when the shape has an offset.
  public var offset: Int
  /// An interruption that can stop the fetch early; nil if the fetch always runs to its end.
  public var interruption: ReadInterruption?
  /// How a read treats a value whose external file is missing, or whose stored form does not fit
  /// the type of its property.
  public var damagedValues: DamagedValues
  /// The text query of a ranked plan, used only if the shape is ranked; nil for no text query.
  public var textQuery: TextQuery?
  /// The maximum number of matches to rank; used only when the shape has a candidate limit.
  public var candidateLimit: Int
}

extension FetchPlan {
  public init(
    shape: FetchShape, bindings: [Value] = [], limit: Int = 0, offset: Int = 0,
    textQuery: TextQuery? = nil, candidateLimit: Int = 0, interruption: ReadInterruption? = nil
  ) {
    // Sets all fields at once: a value that is initialized field by field is copied and destroyed
    // in between.
    self.init(
      shape: shape, bindings: bindings, limit: limit, offset: offset, interruption: interruption,
      damagedValues: .fail, textQuery: textQuery, candidateLimit: candidateLimit)
  }
}

/// One term of a plan's sort order: an operand, a direction and a collation.
public struct SortTerm: Sendable, Hashable {
  /// The rule that determines the order of strings.
  public enum Collation: Sendable, Hashable {
    /// Strings are ordered by UTF-8 bytes and other types by value; nulls come first in ascending
    /// order.
    case binary
    /// Strings are ordered without regard to case.
    case caseInsensitive
    /// Strings are ordered by the rules of the current locale.
    case localized
    /// Strings are ordered by the rules of the current locale, ignoring case.
    case localizedCaseInsensitive
    /// Strings are ordered like names in file lists: by locale, ignoring case, with numbers in
    /// numeric order.
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
