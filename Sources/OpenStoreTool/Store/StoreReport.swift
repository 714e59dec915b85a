import Foundation
import OpenObjectGraph
import OpenObjectModel
import OpenStoreContract

/// What `info`, `ls` and `stats` tell of a store.
package struct StoreReport {
  private let store: OpenedStore

  package init(_ store: OpenedStore) { self.store = store }

  /// Facts about a file, its metadata and its model.
  ///
  /// - Parameters:
  ///   - path: The store's file, or a folder that holds one.
  ///   - modelPath: A model that goes before the one in the store; nil for that one.
  /// - Throws: `ToolError`, or why the file cannot be read.
  package static func facts(
    ofStoreAt path: String, modelPath: String?
  ) throws -> [OutputValue.Field] {
    // The file goes first: beside an open store, SQLite would follow it by an index of its log.
    let file = try FileFacts(OpenedStore.file(at: path))
    return try StoreReport(OpenedStore(at: path, modelPath: modelPath)).facts(with: file)
  }

  private func facts(with file: FileFacts) throws -> [OutputValue.Field] {
    let metadata = store.coordinator.metadata(for: store.store)
    let hashes = metadata[StoreMetadataKey.entityHashes] as? [String: Data]
    var fields: [OutputValue.Field] = [
      .init("file", .text(store.url.path)),
      .init("uuid", .text(store.store.identifier ?? "")),
      .init("frameworkVersion", number(metadata["NSPersistenceFrameworkVersion"])),
      .init("modelIdentifiers", identifiers(metadata)),
      .init("entities", .integer(Int64(store.entities.count))),
      .init(
        "hashesAgree", hashes.map { .bool($0 == store.model.entityVersionHashesByName) } ?? .null),
      // Both are over the hashes that the store holds, whether or not those are the model's.
      .init(
        "digestAgrees",
        agrees(metadata[StoreMetadataKey.digest], NSManagedObjectModel.digest(of: hashes ?? [:]))),
      .init(
        "checksumAgrees",
        agrees(
          metadata[StoreMetadataKey.checksum], NSManagedObjectModel.checksum(of: hashes ?? [:]))),
      .init("bytes", .integer(file.bytes)), .init("logBytes", .integer(file.logBytes)),
      .init("journal", .text(file.journal)), .init("pageSize", file.pageSize),
    ]
    fields.append(.init("rows", .integer(try entities().reduce(0) { $0 + $1.rows })))
    fields.append(.init("historyTransactions", file.transactions))
    fields.append(.init("historyChanges", file.changes))
    return fields
  }

  /// The entities with their numbers and the rows that are of exactly them.
  package func list() throws -> [[OutputValue.Field]] {
    try entities().map { entry in
      let parent = entry.entity.superIndex.map { store.entities[$0].name }
      return [
        .init("entity", .text(entry.entity.name)),
        .init("number", .integer(Int64(entry.entity.index + 1))),
        .init("parent", parent.map { .text($0) } ?? .null),
        .init("abstract", .bool(entry.entity.isAbstract)), .init("rows", .integer(entry.rows)),
      ]
    }
  }

  /// For each attribute and to-one relationship: how many rows have no value, and how large the values are.
  package func statistics() throws -> [[OutputValue.Field]] {
    var rows: [[OutputValue.Field]] = []
    for (entity, _) in try entities() {
      var plan = FetchPlan(shape: FetchShape(entity: entity, includesSubentities: false))
      plan.missingFiles = .readAsNull
      var counts = Counts(entity)
      try store.backend.forEachChunk(matching: plan) { chunk in
        chunk.forEachRow { counts.add($0) }
      }
      rows += counts.fields()
    }
    return rows
  }

  private func entities() throws -> [(entity: CompiledEntity, rows: Int64)] {
    try store.entities.map { entity in
      let plan = FetchPlan(shape: FetchShape(entity: entity, includesSubentities: false))
      return (entity, Int64(try store.backend.count(matching: plan)))
    }
  }

  private func identifiers(_ metadata: [String: Any]) -> OutputValue {
    let list = metadata[StoreMetadataKey.identifiers] as? [Any] ?? []
    return .list(list.compactMap { ($0 as? String).map { .text($0) } })
  }

  private func agrees(_ stored: Any?, _ computed: String) -> OutputValue {
    (stored as? String).map { .bool($0 == computed) } ?? .null
  }

  private func number(_ value: Any?) -> OutputValue {
    (value as? Int).map { .integer(Int64($0)) } ?? .null
  }

  /// Counts over the rows of one entity.
  private struct Counts {
    private let entity: CompiledEntity
    private let columns: [CompiledProperty]
    private var missing: [Int]
    private var bytes: [Int]
    private var largest: [Int]
    private var total = 0

    init(_ entity: CompiledEntity) {
      self.entity = entity
      columns = entity.properties.filter { $0.slot != nil }
      missing = Array(repeating: 0, count: columns.count)
      bytes = missing
      largest = missing
    }

    mutating func add(_ row: Row) {
      total += 1
      for (index, property) in columns.enumerated() {
        guard let slot = property.slot else { continue }
        if row.isNull(slot) {
          missing[index] += 1
          continue
        }
        let kind = entity.slots[slot].kind
        let size = kind == .text || kind == .blob ? row.bytes(at: property.byteOffset).count : 8
        bytes[index] += size
        largest[index] = max(largest[index], size)
      }
    }

    func fields() -> [[OutputValue.Field]] {
      columns.enumerated().map { index, property in
        [
          .init("entity", .text(entity.name)), .init("property", .text(property.name)),
          .init("rows", .integer(Int64(total))), .init("missing", .integer(Int64(missing[index]))),
          .init("bytes", .integer(Int64(bytes[index]))),
          .init("largest", .integer(Int64(largest[index]))),
        ]
      }
    }
  }
}
