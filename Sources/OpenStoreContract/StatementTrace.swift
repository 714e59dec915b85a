/// A trace that reports each executed statement with its duration to a closure. Use a trace to find
/// slow statements.
public struct StatementTrace: Sendable {
  /// The amount of information about each statement.
  public enum Detail: Int, Sendable, Comparable {
    /// The text and the duration.
    case text = 1
    /// The text, the duration, and the number of returned rows.
    case rows = 2
    /// The text with its bound values, the duration, and the number of returned rows. Values may be
    /// private.
    case values = 3

    public static func < (one: Detail, other: Detail) -> Bool { one.rawValue < other.rawValue }
  }

  /// One execution of a statement.
  public struct Run: Sendable {
    /// The text of the statement, which contains the bound values if ``StatementTrace/detail`` is
    /// `.values`.
    public var text: String
    /// The time from the first to the last step of the execution, in seconds.
    public var seconds: Double
    /// The number of returned rows; nil if ``StatementTrace/detail`` is `.text`.
    public var rowCount: Int?

    public init(text: String, seconds: Double, rowCount: Int?) {
      self.text = text
      self.seconds = seconds
      self.rowCount = rowCount
    }
  }

  public var detail: Detail
  /// A closure that receives each execution, on the thread that executed the statement.
  ///
  /// The closure must not use the store.
  public var report: @Sendable (Run) -> Void

  public init(detail: Detail, report: @escaping @Sendable (Run) -> Void) {
    self.detail = detail
    self.report = report
  }
}
