import OpenSQLCore
import Testing

@Suite("Statements that write many rows as text")
struct ArrayStatementTests {
  @Test(
    "each statement binds an array for each column",
    arguments: [
      (
        ArrayStatement.lock("ZBOOK", .update),
        "SELECT Z_PK, Z_OPT FROM ZBOOK WHERE Z_PK = ANY(?) ORDER BY Z_PK FOR UPDATE"
      ),
      (
        .requireVersions("ZBOOK", .noKeyUpdate),
        """
        WITH l AS MATERIALIZED (SELECT Z_PK, Z_OPT FROM ZBOOK WHERE Z_PK = ANY(?) ORDER BY Z_PK \
        FOR NO KEY UPDATE) SELECT (1 / CASE WHEN COUNT(*) = ? THEN 1 ELSE 0 END) FROM l \
        INNER JOIN OpenCoreDataList(?, ?) AS v(c0, c1) ON l.Z_PK = v.c0 AND l.Z_OPT = v.c1
        """
      ),
      (
        .requireRows("ZBOOK"),
        """
        WITH l AS MATERIALIZED (SELECT Z_PK FROM ZBOOK WHERE Z_PK = ANY(?) ORDER BY Z_PK \
        FOR KEY SHARE) SELECT (1 / CASE WHEN COUNT(*) = ? THEN 1 ELSE 0 END) FROM l
        """
      ),
      (
        .insert("ZBOOK", ["Z_PK", "ZTITLE"], skipsDuplicates: true, returning: ["Z_PK"]),
        """
        INSERT INTO ZBOOK (Z_PK, ZTITLE) SELECT v.c0, v.c1 \
        FROM OpenCoreDataList(?, ?) AS v(c0, c1) ON CONFLICT DO NOTHING RETURNING Z_PK
        """
      ),
      (
        .update("ZBOOK", ["Z_OPT", "ZTITLE"]),
        """
        UPDATE ZBOOK AS t SET Z_OPT = v.c1, ZTITLE = v.c2 \
        FROM OpenCoreDataList(?, ?, ?) AS v(c0, c1, c2) WHERE t.Z_PK = v.c0
        """
      ),
      (
        .set("ZPLACE", table: "ZBOOK", key: "Z_PK", owner: "ZAUTHOR"),
        """
        UPDATE ZBOOK AS t SET ZPLACE = v.c2 \
        FROM OpenCoreDataList(?, ?, ?) AS v(c0, c1, c2) WHERE t.Z_PK = v.c0 AND t.ZAUTHOR = v.c1
        """
      ),
      (
        .clear(["ZAUTHOR"], table: "ZBOOK", column: "ZAUTHOR"),
        "UPDATE ZBOOK SET ZAUTHOR = NULL WHERE ZAUTHOR = ANY(?)"
      ),
      (
        .clear(["ZPLACE"], table: "ZBOOK", column: "Z_PK", owner: "ZAUTHOR"),
        "UPDATE ZBOOK SET ZPLACE = NULL WHERE Z_PK = ANY(?) AND ZAUTHOR IS NULL"
      ),
      (.delete("ZBOOK", column: "Z_PK"), "DELETE FROM ZBOOK WHERE Z_PK = ANY(?)"),
      (
        .deleteRows("Z_1TAGS", ["Z_1BOOKS", "Z_2TAGS"]),
        """
        DELETE FROM Z_1TAGS AS t USING OpenCoreDataList(?, ?) AS v(c0, c1) \
        WHERE t.Z_1BOOKS = v.c0 AND t.Z_2TAGS = v.c1
        """
      ),
      (
        .holders("ZBOOK", ["ZTITLE"]),
        """
        SELECT t.Z_PK, t.ZTITLE FROM ZBOOK AS t \
        INNER JOIN OpenCoreDataList(?) AS v(c0) ON t.ZTITLE = v.c0
        """
      ),
    ])
  func texts(_ statement: ArrayStatement, _ expected: String) {
    let rendered = SQLRenderer.render(statement.tree, for: SQLiteDialect())
    #expect(rendered.text == expected)
    // The caller binds an array for each number.
    let numbers = rendered.parameters.map { parameter in
      if case .numbered(let number) = parameter { number } else { 0 }
    }
    #expect(numbers == Array(1...max(1, numbers.count)))
  }
}
