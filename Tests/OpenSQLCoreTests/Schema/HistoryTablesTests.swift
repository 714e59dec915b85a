import OpenObjectModel
import OpenSQLCore
import Testing

@Suite("Tables of persistent history")
struct HistoryTablesTests {
  @Test("have Apple's statements, and no columns for tombstones unless the model preserves values")
  func statements() throws {
    let schema = try Layout.schema([Layout.entity("Item", [Layout.attribute("name")])])
    #expect(
      Layout.texts(schema.historyStatements) == [
        """
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, \
        ZCOLUMNS BLOB )
        """,
        """
        CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, \
        ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, \
        ZPROCESSID VARCHAR, ZQUERYGEN BLOB )
        """,
        """
        CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZNAME VARCHAR )
        """,
        "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
        "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
        "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
        "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
        """
        CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION \
        (ZAUTHOR COLLATE BINARY ASC)
        """,
        """
        CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION \
        (ZTIMESTAMP COLLATE BINARY ASC)
        """,
        """
        CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING \
        (ZNAME COLLATE BINARY ASC)
        """,
      ])
  }

  @Test("have as many tombstone columns as any entity needs")
  func tombstones() throws {
    let kept = ["a", "b", "c"].map { name in
      let attribute = Layout.attribute(name)
      attribute.preservesValueInHistoryOnDeletion = true
      return attribute
    }
    let special = Layout.entity("Special", [kept[2]])
    let item = Layout.entity("Item", [kept[0], Layout.attribute("d")], subentities: [special])
    let other = Layout.entity("Other", [kept[1]])
    let schema = try Layout.schema([item, special, other])
    #expect(
      Layout.texts(schema.historyStatements)[0].hasSuffix(
        "ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB )"))
  }
}
