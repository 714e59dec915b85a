import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract
import Testing

@Suite("Lowering of fetches to SQL")
struct FetchLoweringTests {
  private let library: Library

  init() throws { library = try Library() }

  private func sql(
    _ entity: String, _ filter: Filter? = nil, sort: [SortTerm] = [],
    includesSubentities: Bool = true,
    hasLimit: Bool = false, hasOffset: Bool = false, result: FetchLowering.Result = .keys,
    lists: [Int: ListForm] = [:]
  ) throws -> RenderedSQL {
    let shape = FetchShape(
      entity: try library.entity(entity), includesSubentities: includesSubentities, filter: filter,
      sort: sort, hasLimit: hasLimit, hasOffset: hasOffset)
    return try FetchLowering(schema: library.schema, dialect: SQLiteDialect())
      .statement(for: shape, result: result, lists: lists)
  }

  private func equals(_ path: PropertyPath) -> Filter {
    .comparison(.property(path), .equal, .binding(0), [])
  }

  @Test("a lookup selects whole rows by one column")
  func lookup() throws {
    let rendered = try sql(
      "Person", equals(try library.path("Person", "email")), hasLimit: true, result: .rows)
    #expect(
      rendered.text == """
        SELECT t0.Z_PK, t0.Z_OPT, t0.ZEMAIL, t0.ZNAME FROM ZPERSON AS t0 \
        WHERE t0.ZEMAIL = ? LIMIT ?
        """)
    #expect(rendered.parameters == [.value(0, .slot(.text)), .limit])
  }

  @Test("entities are restricted only if the table has several")
  func entityRestriction() throws {
    #expect(try sql("Item").text == "SELECT t0.Z_PK, t0.Z_ENT FROM ZITEM AS t0")
    #expect(try sql("Book").text == "SELECT t0.Z_PK FROM ZITEM AS t0 WHERE t0.Z_ENT = 2")
    #expect(
      try sql("Item", includesSubentities: false).text
        == "SELECT t0.Z_PK FROM ZITEM AS t0 WHERE t0.Z_ENT = 1")
    #expect(try sql("Person").text == "SELECT t0.Z_PK FROM ZPERSON AS t0")
  }

  @Test("filter and sort terms share the joins of their paths")
  func sharedJoins() throws {
    let name = try library.path("Book", "author", "name")
    let rendered = try sql(
      "Book", .or([equals(name), .isNull(.property(try library.path("Book", "title")))]),
      sort: [
        SortTerm(path: name, isAscending: false, collation: .caseInsensitive),
        SortTerm(path: try library.path("Book", "price"), isAscending: true),
      ])
    #expect(
      rendered.text == """
        SELECT t0.Z_PK FROM ZITEM AS t0 LEFT OUTER JOIN ZPERSON AS t1 ON t0.ZAUTHOR = t1.Z_PK \
        WHERE t0.Z_ENT = 2 AND (t1.ZNAME = ? OR t0.ZTITLE IS NULL) \
        ORDER BY t1.ZNAME COLLATE OCD_CASE_INSENSITIVE DESC, t0.ZPRICE
        """)
  }

  @Test("a condition on destinations is an EXISTS, counts and aggregates are sub-selects")
  func toMany() throws {
    let books = try library.toMany("Person", "books")
    let pages = try library.path("Book", "pages")
    #expect(
      try sql("Person", .exists(books, equals(pages))).text == """
        SELECT t0.Z_PK FROM ZPERSON AS t0 WHERE EXISTS (SELECT 1 FROM ZITEM AS t1 \
        WHERE t1.ZAUTHOR = t0.Z_PK AND t1.ZPAGES = ?)
        """)
    #expect(
      try sql("Person", .comparison(.count(books), .greaterThan, .binding(0), [])).text == """
        SELECT t0.Z_PK FROM ZPERSON AS t0 \
        WHERE (SELECT COUNT(*) FROM ZITEM AS t1 WHERE t1.ZAUTHOR = t0.Z_PK) > ?
        """)
    #expect(
      try sql("Person", .isNull(.aggregate(.sum, books, .property(pages)))).text == """
        SELECT t0.Z_PK FROM ZPERSON AS t0 \
        WHERE (SELECT SUM(t1.ZPAGES) FROM ZITEM AS t1 WHERE t1.ZAUTHOR = t0.Z_PK) IS NULL
        """)
  }

  @Test("many-to-many relationships go through their table of pairs")
  func manyToMany() throws {
    let tags = try library.toMany("Item", "tags")
    #expect(
      try sql("Item", .exists(tags, equals(try library.path("Tag", "name")))).text == """
        SELECT t0.Z_PK, t0.Z_ENT FROM ZITEM AS t0 WHERE EXISTS (SELECT 1 FROM Z_1TAGS AS t2 \
        INNER JOIN ZTAG AS t1 ON t1.Z_PK = t2.Z_6TAGS WHERE t2.Z_1ITEMS = t0.Z_PK AND t1.ZNAME = ?)
        """)
    #expect(
      try sql("Item", .exists(tags, .constant(true))).text == """
        SELECT t0.Z_PK, t0.Z_ENT FROM ZITEM AS t0 \
        WHERE EXISTS (SELECT 1 FROM Z_1TAGS AS t2 WHERE t2.Z_1ITEMS = t0.Z_PK)
        """)
  }

  @Test("lists become placeholders, JSON, or unknown for null")
  func lists() throws {
    let member = Filter.isMember(.property(try library.path("Person", "name")), list: 0, [])
    let select = "SELECT t0.Z_PK FROM ZPERSON AS t0 WHERE "
    #expect(
      try sql("Person", member, lists: [0: .members(2)]).text == select + "t0.ZNAME IN (?, ?)")
    #expect(
      try sql("Person", member, lists: [0: .json]).text
        == select + "t0.ZNAME IN (SELECT value FROM json_each(?))")
    #expect(
      try sql("Person", member, lists: [0: .empty]).text == select + "t0.ZNAME <> t0.ZNAME")
  }

  @Test("lookups use a list as a table; other conditions use it as a set")
  func lookUps() throws {
    let member = Filter.isMember(.property(try library.path("Person", "name")), list: 0, [])
    #expect(
      try sql("Person", member, lists: [0: .table]).text == """
        SELECT t0.Z_PK FROM OpenCoreDataList(?) AS list \
        CROSS JOIN ZPERSON AS t0 ON t0.ZNAME = list.value
        """)
    #expect(
      try sql("Person", .not(member), lists: [0: .table]).text == """
        SELECT t0.Z_PK FROM ZPERSON AS t0 \
        WHERE NOT (t0.ZNAME IN (SELECT value FROM OpenCoreDataList(?)))
        """)
  }

  @Test("texts are compared by functions, plain prefixes by a range that an index serves")
  func texts() throws {
    let name = Operand.property(try library.path("Person", "name"))
    let select = "SELECT t0.Z_PK FROM ZPERSON AS t0 WHERE "
    func text(_ operation: ComparisonOperator, _ options: StringOptions) throws -> String {
      try sql("Person", .comparison(name, operation, .binding(0), options)).text
    }
    #expect(try text(.beginsWith, []) == select + "t0.ZNAME >= ? AND t0.ZNAME < ?")
    #expect(try text(.beginsWith, .caseInsensitive) == select + "ocd_prefix(t0.ZNAME, ?, 1)")
    #expect(try text(.contains, []) == select + "ocd_contains(t0.ZNAME, ?, 0)")
    #expect(
      try text(.notEqual, [.caseInsensitive, .diacriticInsensitive])
        == select + "NOT (ocd_equals(t0.ZNAME, ?, 3))")
    #expect(try text(.lessThan, .caseInsensitive) == select + "ocd_compare(t0.ZNAME, ?, 1) < 0")
  }

  @Test("counts drop the order, and keep limit and offset inside")
  func counts() throws {
    let sort = [SortTerm(path: try library.path("Person", "name"), isAscending: true)]
    #expect(
      try sql("Person", sort: sort, result: .count).text == "SELECT COUNT(*) FROM ZPERSON AS t0")
    #expect(
      try sql("Person", hasOffset: true, result: .count).text
        == "SELECT COUNT(*) FROM (SELECT 1 FROM ZPERSON AS t0 LIMIT -1 OFFSET ?)")
  }

  @Test("an unknown function is rejected with the code for predicates")
  func unknownFunction() throws {
    let filter = Filter.isNull(.function("launch:", [.binding(0)]))
    let error = try #require(throws: StoreError.self) { try sql("Person", filter) }
    #expect(error.code == .unsupportedPredicate)
  }
}
