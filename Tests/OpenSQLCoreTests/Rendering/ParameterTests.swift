import OpenSQLCore
import Testing

@Suite("The numbers of parameters")
struct ParameterTests {
  /// Returns the parameters of a SELECT with a limit, by their numbers.
  private func parameters(_ select: SQLSelect) -> [SQLParameter] {
    var limited = select
    limited.limit = .parameter(.limit)
    return SQLRenderer.render(.select(limited), for: SQLiteDialect()).parameters
  }

  @Test("a parameter without a number does not get the number of an earlier parameter")
  func mixture() {
    let title = SQLExpression.binary(.equal, .named("ZTITLE"), .bound(2))
    let select = SQLSelect(["Z_PK"], from: "ZBOOK", where: title)
    #expect(parameters(select) == [.numbered(1), .numbered(2), .limit])
  }

  @Test("a parameter after arrays does not get the number of an array")
  func arrays() {
    let select = SQLSelect([.column(table: "v", "c0")], from: .arrays(count: 2, alias: "v"))
    #expect(parameters(select) == [.numbered(1), .numbered(2), .limit])
  }
}
