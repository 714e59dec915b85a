import Foundation
import OpenCoreData
import OpenObjectModel
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Testing

/// Reads of results that are too large to be read completely before they are passed on.
@Suite("Large results are passed on in parts", .enabled(if: TestServer.isPresent))
struct StreamedReadTests {
  private struct Passed {
    weak var chunk: RowChunk?
  }

  /// Opens a store in a new schema, and inserts books whose covers have a size in bytes.
  private func store(
    _ schema: String, _ model: CompiledModel, books: Int, coverSize: Int
  ) throws -> PostgresStore {
    let server = try TestServer.shared.get()
    let configuration = StoreConfiguration(url: try server.url(schema: schema))
    let store = try PostgresStore.open(configuration, model: model)
    try server.execute(
      """
      INSERT INTO \(schema).zbook (z_pk, z_ent, z_opt, zcover) \
      SELECT n, (SELECT z_ent FROM \(schema).z_primarykey WHERE z_name = 'Book'), 1, \
      decode(repeat('ab', \(coverSize)), 'hex') FROM generate_series(1, \(books)) AS n
      """)
    return store
  }

  @Test("chunks are freed while further rows are read")
  func chunks() throws {
    let model = try Library.model.compiled()
    let book = try #require(model.entity(named: "Book"))
    let store = try store("streamed_rows", model, books: 200, coverSize: 100_000)
    defer { store.close() }
    var passed: [Passed] = []
    var rowCount = 0
    var greatestCount = 0
    try store.forEachChunk(matching: FetchPlan(shape: FetchShape(entity: book))) { chunk in
      greatestCount = max(greatestCount, passed.count(where: { $0.chunk != nil }))
      passed.append(Passed(chunk: chunk))
      rowCount += chunk.rowCount
    }
    #expect(rowCount == 200)
    #expect(greatestCount * 2 < passed.count)
  }

  @Test("values are passed on before the server has sent all of them")
  func values() throws {
    let server = try TestServer.shared.get()
    let schema = "streamed_values"
    let model = try Library.model.compiled()
    let book = try #require(model.entity(named: "Book"))
    let store = try store(schema, model, books: 1_000, coverSize: 20_000)
    defer { store.close() }
    let ordinal = try #require(book.ordinal(of: "cover"))
    let path = PropertyPath(entityIndex: book.index, end: .property(ordinal: ordinal))
    let projection = Projection(columns: [Projection.Column(.property(path))])
    var count = 0
    var failure: (any Error)?
    try store.forEachResultBatch(
      matching: FetchPlan(shape: FetchShape(entity: book, projection: projection))
    ) { values in
      if count == 0 {
        do {
          // Divides by zero if the statement of the read has ended.
          try server.execute(
            """
            SELECT 1 / count(*) FROM pg_stat_activity WHERE state = 'active' \
            AND pid <> pg_backend_pid() AND query LIKE '%\(schema)%'
            """)
        } catch {
          failure = error
        }
      }
      count += values.count
    }
    #expect(failure == nil)
    #expect(count == 1_000)
  }
}
