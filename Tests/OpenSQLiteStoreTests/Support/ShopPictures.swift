import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreContract

/// Products with pictures, which are large enough for separate files.
extension Shop {
  static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  /// The folder of external values for a store with a given name in the shop's folder.
  func externalFolder(of stem: String = "shop") -> URL {
    folder.appendingPathComponent(".\(stem)_SUPPORT/_EXTERNAL_DATA")
  }

  /// The names of all external files, in order.
  var externalNames: [String] {
    // Without a value there is no folder.
    ((try? FileManager.default.contentsOfDirectory(atPath: externalFolder().path)) ?? []).sorted()
  }

  /// What else is in the support folder: marks.
  var marks: [String] {
    let folder = externalFolder().deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0 != "_EXTERNAL_DATA" }.sorted()
  }

  /// Adds a file that no row names.
  func addStrayFile(_ name: String = UUID().uuidString) throws -> String {
    try FileManager.default.createDirectory(
      at: externalFolder(), withIntermediateDirectories: true)
    try Data(name.utf8).write(to: externalFolder().appendingPathComponent(name))
    return name
  }

  func pictureRow(
    _ key: Int64, _ picture: Data?, over old: Row? = nil, code: String = "a"
  ) throws -> Row {
    var writer = RowWriter()
    return writer.row(
      of: try entity(), key: key, version: (old?.version ?? 0) + 1, over: old?.view,
      values: [
        SlotValue(slot: try slot("code"), content: .text(code)),
        SlotValue(slot: try slot("picture"), content: picture.map { .data($0) } ?? .null),
      ])
  }

  func insertPicture(_ picture: Data, code: String = "a", into store: SQLiteStore) throws -> Row {
    var changes = ChangeSet()
    changes.inserted = [try pictureRow(ProvisionalKey.key(at: 0), picture, code: code)]
    changes.newRowCounts = [try entity().index: 1]
    _ = try store.commit(&changes)
    return changes.inserted[0]
  }

  @discardableResult
  func replacePicture(
    of row: Row, with picture: Data, code: String = "a", in store: SQLiteStore
  ) throws -> Row {
    let new = try pictureRow(row.key, picture, over: row, code: code)
    let slots = OrdinalSet([try slot("picture")])
    var changes = ChangeSet()
    changes.updated = [ChangeSet.Update(row: new, slots: slots, expectedVersion: row.version)]
    let outcome = try store.commit(&changes)
    guard case .committed = outcome else { throw Failure(message: "conflict") }
    return new
  }

  func delete(_ row: Row, in store: SQLiteStore) throws {
    let id = ObjectKey(entityIndex: row.entityIndex, key: row.key)
    var changes = ChangeSet()
    changes.deleted = [ChangeSet.Deletion(id: id, expectedVersion: row.version)]
    _ = try store.commit(&changes)
  }

  /// The pictures of all products, in the order of their keys.
  func pictures(
    in store: any StoreBackend, damagedValues: DamagedValues = .fail
  ) throws -> [Data?] {
    let product = try entity()
    guard let ordinal = product.ordinal(of: "picture") else { throw Failure(message: "picture") }
    let property = product.properties[ordinal]
    var pictures: [(Int64, Data?)] = []
    var plan = try plan()
    plan.damagedValues = damagedValues
    try store.forEachChunk(matching: plan) { chunk in
      chunk.forEachRow { row in
        guard case .data(let data) = row.value(of: property, in: model) else {
          return pictures.append((row.key, nil))
        }
        pictures.append((row.key, data))
      }
    }
    return pictures.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The pictures of the store at a place, which is opened for it.
  func pictures(at url: URL) throws -> [Data?] {
    let store = try open { $0.url = url }
    defer { store.close() }
    return try pictures(in: store)
  }
}
