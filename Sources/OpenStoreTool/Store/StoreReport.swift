import Foundation
import OpenObjectGraph
import OpenObjectModel
import OpenStoreContract

/// The information that `info`, `ls` and `stats` print about a store.
package struct StoreReport {
  private let store: InspectedStore

  package init(_ store: InspectedStore) { self.store = store }

  /// Returns information about a store's file, metadata and model.
  ///
  /// If the model is unknown, the result contains null for information that requires a model.
  ///
  /// - Parameters:
  ///   - path: The path of the store's file, or of a folder that contains one store.
  ///   - modelPath: The path of a model whose version hashes are compared with the store's version
  ///     hashes; nil to use the store's own model.
  /// - Throws: `ToolError` with status `.unreadable` if the store or the model at `modelPath`
  ///   cannot be read; the errors of ``InspectedStore/url(at:)`` and ``InspectedStore/model(at:)``.
  package static func facts(
    ofStoreAt path: String, modelPath: String?
  ) throws -> [OutputValue.Field] {
    let place = try InspectedStore.url(at: path)
    if !place.isFileURL { return try facts(ofServed: place, modelPath) }
    // The file goes first: beside an open store, SQLite would follow it by an index of its log.
    let url = try InspectedStore.file(at: path)
    let file = try FileFacts(url)
    let metadata = try MetadataFacts(url)
    // Another model might not match the tables, so the store is opened only with its own model.
    let own = try modelPath == nil ? InspectedStore.keptModel(of: url) : readableModel(of: url)
    let model = try modelPath.map(InspectedStore.model(at:)) ?? own
    let agree = metadata.agreement(with: model)
    guard let own else {
      let identity = metadata.identity(entityCount: nil)
      return fields(url, file, identity, agree, metadata.agreements, try metadata.rowCount())
    }
    let store = try InspectedStore(url, own)
    let rows = try StoreReport(store).entities().reduce(0) { $0 + $1.rows }
    return fields(
      url, file, metadata.identity(entityCount: store.entities.count), agree, metadata.agreements,
      .integer(rows))
  }

  /// Returns the model that a store contains; nil if there is none or if it cannot be read.
  private static func readableModel(of url: URL) -> NSManagedObjectModel? {
    try? InspectedStore.keptModel(of: url)  // A damaged model is treated as missing.
  }

  /// Returns information about a store on a server.
  private static func facts(
    ofServed url: URL, _ modelPath: String?
  ) throws -> [OutputValue.Field] {
    let metadata = try MetadataFacts(url)
    let model = try InspectedStore.model(of: url, modelPath)
    let agree = metadata.agreement(with: model)
    let kept = modelPath == nil ? try InspectedStore.keptModel(of: url) : readableModel(of: url)
    let store = try InspectedStore(url, kept ?? model)
    let rows = try StoreReport(store).entities().reduce(0) { $0 + $1.rows }
    return [.init("store", .text(InspectedStore.name(of: url)))]
      + metadata.identity(entityCount: store.entities.count)
      + [.init("hashesAgree", agree)]
      + metadata.agreements + [.init("rows", .integer(rows))]
  }

  private static func fields(
    _ url: URL, _ file: FileFacts, _ identity: [OutputValue.Field], _ hashesAgree: OutputValue,
    _ agreements: [OutputValue.Field], _ rows: OutputValue
  ) -> [OutputValue.Field] {
    [.init("file", .text(url.path))] + identity + [.init("hashesAgree", hashesAgree)] + agreements
      + [
        .init("bytes", .integer(file.bytes)), .init("logBytes", .integer(file.logBytes)),
        .init("journal", .text(file.journal)), .init("pageSize", file.pageSize),
        .init("rows", rows), .init("historyTransactions", file.transactions),
        .init("historyChanges", file.changes),
      ]
  }

  /// Returns one row for each entity, with the entity's number (null for a store on a server) and
  /// the number of its objects, excluding the objects of subentities.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
  package func list() throws -> [[OutputValue.Field]] {
    try entities().map { entry in
      let parent = entry.entity.superIndex.map { store.entities[$0].name }
      return [
        .init("entity", .text(entry.entity.name)),
        // A server's store gives numbers for good, which are none of the model's.
        .init("number", store.url.isFileURL ? .integer(Int64(entry.entity.index + 1)) : .null),
        .init("parent", parent.map { .text($0) } ?? .null),
        .init("abstract", .bool(entry.entity.isAbstract)), .init("rows", .integer(entry.rows)),
      ]
    }
  }

  /// Returns one row for each attribute and to-one relationship, with the number of missing values
  /// and the sizes of the values.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
  package func statistics() throws -> [[OutputValue.Field]] {
    var rows: [[OutputValue.Field]] = []
    for (entity, _) in try entities() {
      var plan = FetchPlan(shape: FetchShape(entity: entity, includesSubentities: false))
      plan.damagedValues = .readAsNull
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

  /// The counts of missing values and sizes for the rows of one entity.
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
