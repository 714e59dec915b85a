import COpenSQLite
import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Synchronization

/// A file in a separate folder, with a store of products and their subentities.
final class Shop: Sendable {
  let model: CompiledModel
  let folder: URL
  let statements = Mutex<[String]>([])

  init() throws {
    model = try Self.makeModel().compiled()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("shop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var file: URL { folder.appendingPathComponent("shop.sqlite") }

  static func makeModel(withVariants: Bool = true) -> NSManagedObjectModel {
    let product = NSEntityDescription()
    let offer = NSEntityDescription()
    product.name = "Product"
    product.properties = [
      attribute("code", .stringAttributeType), attribute("stock", .integer64AttributeType),
      attribute("picture", .binaryDataAttributeType),
    ]
    product.uniquenessConstraints = [["code"]]
    offer.name = "Offer"
    offer.properties = [attribute("until", .dateAttributeType)]
    product.subentities = withVariants ? [offer] : []
    let model = NSManagedObjectModel()
    model.entities = withVariants ? [product, offer] : [product]
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    attribute.allowsExternalBinaryDataStorage = type == .binaryDataAttributeType
    return attribute
  }

  func open(_ change: (inout StoreConfiguration) -> Void = { _ in }) throws -> SQLiteStore {
    var configuration = StoreConfiguration(url: file)
    configuration.timeout = 0.05
    configuration.statementObserver = { [weak self] sql in
      self?.statements.withLock { $0.append(sql) }
    }
    change(&configuration)
    return try SQLiteStore.open(configuration, model: model)
  }

  /// Statements observed since the last call.
  func takeStatements() -> [String] {
    statements.withLock { statements in
      defer { statements = [] }
      return statements
    }
  }

  func entity(_ name: String = "Product") throws -> CompiledEntity {
    guard let entity = model.entity(named: name) else { throw Failure(message: "no \(name)") }
    return entity
  }

  func slot(_ property: String) throws -> Int {
    let product = try entity()
    guard let slot = product.ordinal(of: property).flatMap({ product.properties[$0].slot }) else {
      throw Failure(message: "no \(property)")
    }
    return slot
  }

  func plan(_ entity: String = "Product") throws -> FetchPlan {
    FetchPlan(shape: FetchShape(entity: try self.entity(entity)))
  }

  /// Inserts products with the codes and returns their rows.
  func insert(_ codes: [String], into store: SQLiteStore) throws -> [Row] {
    let product = try entity()
    let slot = try slot("code")
    var writer = RowWriter()
    var changes = ChangeSet()
    for (offset, code) in codes.enumerated() {
      let value = SlotValue(slot: slot, content: .text(code))
      changes.inserted.append(
        writer.row(
          of: product, key: ProvisionalKey.key(at: offset), version: 1, over: nil, values: [value]))
    }
    changes.newRowCounts = [product.index: codes.count]
    _ = try store.commit(&changes)
    return changes.inserted
  }

  func update(_ row: Row, code: String) throws -> ChangeSet.Update {
    let slot = try slot("code")
    var writer = RowWriter()
    let new = writer.row(
      of: try entity(), key: row.key, version: row.version + 1, over: row.view,
      values: [SlotValue(slot: slot, content: .text(code))])
    return ChangeSet.Update(row: new, slots: OrdinalSet([slot]), expectedVersion: row.version)
  }

  /// Runs SQL on a separate connection and returns the rows, columns joined by "|".
  @discardableResult
  func sqlite(_ sql: String, in other: URL? = nil) throws -> [String] {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open((other ?? file).path, &database) == SQLITE_OK else {
      throw Failure(message: "open")
    }
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(database)))
    }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        }.joined(separator: "|"))
    }
    return rows
  }

  /// Runs several statements on a separate connection.
  func execute(_ script: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(file.path, &database) == SQLITE_OK,
      sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK
    else { throw Failure(message: String(cString: sqlite3_errmsg(database))) }
  }

  struct Failure: Error {
    var message: String
  }
}
