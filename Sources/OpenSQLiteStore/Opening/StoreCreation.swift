import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Creates the tables of a new store, with their first rows, in one transaction.
struct StoreCreation {
  let match: ModelMatch
  let connection: Connection
  private let newIdentifier: String?
  private var model: CompiledModel { match.model }

  /// - Parameter newIdentifier: The store's identifier, or nil to generate one.
  init(_ match: ModelMatch, newIdentifier: String? = nil, on connection: Connection) {
    self.match = match
    self.newIdentifier = newIdentifier
    self.connection = connection
  }

  /// Creates the tables, unless another connection has created them meanwhile.
  func create() throws(StoreError) -> (SchemaMap, identifier: String) {
    let schema = try SchemaMap(model)
    let identifier = try connection.transaction { () throws(StoreError) in
      if try FileTables.read(on: connection).isEmpty { return (try fill(schema), true) }
      try FileTables.require(
        schema.requiredColumns(), in: try FileTables.read(on: connection), path: connection.path)
      return (try MetadataTable.read(on: connection).identifier, true)
    }
    return (schema, identifier)
  }

  private func fill(_ schema: SchemaMap) throws(StoreError) -> String {
    let dialect = SQLiteDialect()
    for statement in schema.statements() {
      try connection.run(SQLRenderer.render(statement, for: dialect).text)
    }
    for entity in model.entities {
      try connection.run(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        [
          .integer(Int64(entity.index) + 1), .text(entity.name),
          .integer(entity.superIndex.map { Int64($0) + 1 } ?? 0), .integer(0),
        ])
    }
    let identifier = newIdentifier ?? UUID().uuidString
    try MetadataTable.insert(
      MetadataTable.initial(match), identifier: identifier,
      on: connection)
    if let content = ModelCache.content(of: model.descriptions) {
      try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.data(content)])
    }
    return identifier
  }
}
