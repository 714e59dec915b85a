/// The record of an executed statement, with its cost; for finding slow statements.
public struct StatementTrace: Sendable {
  /// The detail of the record of a statement.
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
    /// The text, with values if they were requested.
    public var text: String
    /// The duration from the first step to the last, in seconds.
    public var seconds: Double
    /// The number of returned rows; nil if it was not requested.
    public var rowCount: Int?

    public init(text: String, seconds: Double, rowCount: Int?) {
      self.text = text
      self.seconds = seconds
      self.rowCount = rowCount
    }
  }

  public var detail: Detail
  /// Called on the thread that ran the statement; must not use the store.
  public var report: @Sendable (Run) -> Void

  public init(detail: Detail, report: @escaping @Sendable (Run) -> Void) {
    self.detail = detail
    self.report = report
  }
}
