/// What is told of every statement that a store has run, with its cost; for people who look for slow ones.
public struct StatementTrace: Sendable {
  /// How much is told of a statement.
  public enum Detail: Int, Sendable, Comparable {
    /// Its text and time.
    case text = 1
    /// Also how many rows it returned.
    case rows = 2
    /// Its text with its values, which may be private.
    case values = 3

    public static func < (one: Detail, other: Detail) -> Bool { one.rawValue < other.rawValue }
  }

  /// One run of a statement.
  public struct Run: Sendable {
    /// Its text, with values where they were asked for.
    public var text: String
    /// From its first step to its last, in seconds.
    public var seconds: Double
    /// Rows returned; nil where they were not asked for.
    public var rowCount: Int?

    public init(text: String, seconds: Double, rowCount: Int?) {
      self.text = text
      self.seconds = seconds
      self.rowCount = rowCount
    }
  }

  public var detail: Detail
  /// Called on the thread that ran the statement, which must not use the store meanwhile.
  public var report: @Sendable (Run) -> Void

  public init(detail: Detail, report: @escaping @Sendable (Run) -> Void) {
    self.detail = detail
    self.report = report
  }
}
