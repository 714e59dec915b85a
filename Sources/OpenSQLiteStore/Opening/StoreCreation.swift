import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Creates the tables of a new store, with their first rows, in one transaction.
struct StoreCreation {
  let match: ModelMatch
  let connection: Connection
  private let newIdentifier: String?
  private let historyBase: Int64
  private var model: CompiledModel { match.model }

  /// - Parameters:
  ///   - newIdentifier: The store's identifier, or nil to generate one.
  ///   - historyBase: The number after which the numbers of transactions begin.
  init(
    _ match: ModelMatch, newIdentifier: String?, historyBase: Int64, on connection: Connection
  ) {
    self.match = match
    self.newIdentifier = newIdentifier
    self.historyBase = historyBase
    self.connection = connection
  }

  /// Creates the tables, unless another connection has already created them.
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
    for statement in schema.statements() { try connection.execute(statement) }
    for entity in model.entities {
      try insert(NumberRow(of: entity, schema.numbers, last: 0))
    }
    if historyBase > 0 {
      // The store may get its history tables later.
      try insert(
        NumberRow(
          number: HistoryNumber.transaction, name: HistoryNumber.transactionName, parent: 0,
          last: historyBase))
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

  private func insert(_ row: NumberRow) throws(StoreError) {
    try connection.execute(NumberRow.insertion, binding: row.values)
  }
}
