import Foundation
import OpenCoreData
import OpenPredicates
import OpenSQLiteStore
import Testing

/// Stores that Apple's frameworks wrote; without these stores, the tests are skipped.
private enum RealStores {
  static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data/stores")

  static var paths: [String] {
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (files ?? []).filter {
      ["sqlite", "db", "store"].contains(($0 as NSString).pathExtension)
    }
    .sorted()
  }
}

@Suite(
  "Edits in stores that Apple's frameworks wrote",
  .enabled(if: !RealStores.paths.isEmpty, "the collection of Apple's stores is not here"))
struct RealStoreEditTests {
  /// All rows of all tables, by table and row id.
  private typealias Contents = [String: [Value: [Value]]]

  @Test(
    "one edit changes one row, its version, and the results of its triggers",
    arguments: RealStores.paths)
  func edit(_ path: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("edit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("store.sqlite")
    for suffix in ["", "-wal"] {
      let source = RealStores.folder.appendingPathComponent(path + suffix).path
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try FileManager.default.copyItem(atPath: source, toPath: file.path + suffix)
    }
    guard let model = try ModelCache.model(inStoreAt: file) else { return }
    for entity in model.entities { entity.managedObjectClassName = nil }
    let before = try contents(of: file)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file,
      options: [
        NSPersistentHistoryTrackingKey: true, NSIgnorePersistentStoreVersioningOption: true,
      ])
    let hashes = store.metadata["NSStoreModelVersionHashes"] as? [String: Data]
    let edited = try edit(model, coordinator)
    try coordinator.remove(store)
    let after = try contents(of: file).filter { !isHistory($0.key) || before[$0.key] != nil }
    #expect(before.keys.sorted() == after.keys.sorted())
    for (table, rows) in before where rows != after[table] && !isHistory(table) {
      #expect(table == edited?.table || isComputed(table, model), "\(table) changed")
      if table == edited?.table {
        let changed = rows.filter { after[table]?[$0.key] != $0.value }
        #expect(changed.count == 1)
        #expect(rows.count == after[table]?.count)
      }
    }
    #expect(edited == nil || before[edited?.table ?? ""] != after[edited?.table ?? ""])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: file)
    #expect(metadata["NSStoreModelVersionHashes"] as? [String: Data] == hashes)
    let check = try StoreInspection.rows(of: "PRAGMA integrity_check", inStoreAt: file)
    #expect(check == [[.string("ok")]])
  }

  /// Changes one text of one object, and returns the table of its row.
  private func edit(
    _ model: NSManagedObjectModel, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> (table: String, key: Int)? {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let roots = model.entities.filter { $0.superentity == nil }
      for root in roots.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
        let request = NSFetchRequest<NSManagedObject>(entityName: root.name ?? "")
        request.fetchLimit = 1
        let constrained = Set(root.uniquenessConstraints.joined().compactMap { $0 as? String })
        guard let object = try context.fetch(request).first,
          let attribute = object.entity.attributesByName.values
            .filter({ $0.type == .string && !$0.isTransient && !constrained.contains($0.name) })
            .filter({ !($0 is NSDerivedAttributeDescription) && $0.validationPredicates.isEmpty })
            .min(by: { $0.name < $1.name })
        else { continue }
        object.setValue("edited", forKey: attribute.name)
        try context.save()
        let table = "Z" + (root.name ?? "").uppercased()
        return (table, Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0)
      }
      return nil
    }
  }

  /// Whether triggers of derived attributes may write to a table.
  private func isComputed(_ table: String, _ model: NSManagedObjectModel) -> Bool {
    model.entities.contains { entity in
      var root = entity
      while let parent = root.superentity { root = parent }
      return "Z" + (root.name ?? "").uppercased() == table
        && entity.properties.contains { $0 is NSDerivedAttributeDescription }
    }
  }

  /// Whether saves write to a table for history, which the tests enable although some stores had none.
  private func isHistory(_ table: String) -> Bool {
    ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "Z_PRIMARYKEY"].contains(table)
  }

  private func contents(of file: URL) throws -> Contents {
    var contents: Contents = [:]
    let tables = try StoreInspection.rows(
      of: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
      inStoreAt: file)
    for row in tables {
      guard case .string(let table) = row.first else { continue }
      let rows = try StoreInspection.rows(
        of: "SELECT rowid, * FROM \"\(table)\"", inStoreAt: file)
      contents[table] = Dictionary(rows.map { ($0[0], $0) }) { first, _ in first }
    }
    return contents
  }
}
