import COpenSQLite
import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenStoreTool
import Testing

@Suite("Reasons and places of errors")
struct ReportedErrorTests {
  @Test("an empty sort key is incorrect usage", arguments: ["-", ",", "", "title,", "-title,-"])
  func emptySortKey(_ keys: String) throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let error = #expect(throws: ToolError.self) { try sample.rows { $0.sortKeys = [keys] } }
    #expect(error?.status == .usage)
    #expect(error?.message.contains("--sort") == true)
  }

  @Test("an error of a damaged store names the store's file")
  func damagedStore() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    try damage("ZITEM", of: sample.file)
    let run = try ToolProcess("\"$TOOL\" stats \"$1\"", store: sample.file)
    #expect(run.status == 3)
    #expect(run.errors.contains("sample.sqlite: The store file is damaged"), "\(run.errors)")
  }

  /// Overwrites the root page of a table.
  private func damage(_ table: String, of file: URL) throws {
    var database: OpaquePointer?
    #expect(sqlite3_open(file.path, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let raw = try RawStore(copyOf: file)
    let pages = try raw.rows("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
    let page = try #require(pages.first?.first?.integer)
    let sizes = try raw.rows("PRAGMA page_size")
    let size = try #require(sizes.first?.first?.integer)
    let handle = try FileHandle(forWritingTo: file)
    try handle.seek(toOffset: UInt64((page - 1) * size))
    try handle.write(contentsOf: Data(repeating: 0xFF, count: Int(size)))
    try handle.close()
  }

  @Test("an error of a copy names the external file that is missing")
  func missingExternalFile() throws {
    let sample = try Sample()
    let model = Sample.makeModel()
    let bytes = try #require(model.entitiesByName["Item"]?.attributesByName["bytes"])
    bytes.allowsExternalBinaryDataStorage = true
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: sample.file, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let item = try Sample.insert("Item", into: context)
      item.setValue(Data(repeating: 1, count: 1 << 20), forKey: "bytes")
      try context.save()
    }
    try coordinator.remove(store)
    try FileManager.default.removeItem(
      at: sample.folder.appendingPathComponent(".sample_SUPPORT/_EXTERNAL_DATA"))
    let place = sample.folder.appendingPathComponent("copy.sqlite")
    let error = #expect(throws: ToolError.self) {
      try StoreCopying(from: sample.file.path, to: place.path, modelPath: nil) { _ in }.run()
    }
    #expect(error?.status == .unreadable)
    #expect(error?.message.contains(".sample_SUPPORT/_EXTERNAL_DATA/") == true, "\(error as Any)")
  }

  @Test(
    "an error in a model document contains the file, the line, the entity and the property",
    arguments: ["show", "lint", "hash"])
  func badDocument(_ command: String) throws {
    let sample = try Sample()
    try write(
      """
      <entity name="Book"><relationship name="x" maxCount="1" destinationEntity="Nowhere"/></entity>
      """, to: "Bad.xcdatamodel", of: sample)
    let run = try ToolProcess(
      "\"$TOOL\" model \(command) \"${1%/*}/Bad.xcdatamodel\"", store: sample.file)
    #expect(run.status == 3)
    #expect(run.errors.contains("Bad.xcdatamodel/contents:3"), "\(run.errors)")
    #expect(run.errors.contains("(entity Book, property x)"), "\(run.errors)")
  }

  /// Writes a model document with the given entities, which begin in line 3.
  private func write(_ entities: String, to name: String, of sample: Sample) throws {
    let folder = sample.folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = "<?xml version=\"1.0\"?>\n<model>\n\(entities)\n</model>\n"
    try Data(text.utf8).write(to: folder.appendingPathComponent("contents"))
  }

  @Test("classes are printed according to the setting Codegen, or for all entities")
  func codegen() throws {
    let sample = try Sample()
    try write(
      """
      <entity name="Book" representedClassName="Book" codeGenerationType="class"/>
      <entity name="Shelf" representedClassName="Shelf"/>
      """, to: "Library.xcdatamodel", of: sample)
    let command = "\"$TOOL\" model swift \"${1%/*}/Library.xcdatamodel\""
    let declared = try ToolProcess(command, store: sample.file)
    #expect(declared.status == 0, "\(declared.errors)")
    #expect(declared.output.contains("class Book: NSManagedObject"))
    #expect(!declared.output.contains("class Shelf"))
    let all = try ToolProcess("\(command) --all-entities", store: sample.file)
    #expect(all.status == 0, "\(all.errors)")
    #expect(all.output.contains("class Book: NSManagedObject"))
    #expect(all.output.contains("class Shelf: NSManagedObject"))
  }

  @Test("info compares the hashes of a store with those of any model, without opening the store")
  func otherModel() throws {
    let sample = try Sample()
    try sample.writeItems(4)
    let other = NSEntityDescription()
    other.name = "Another"
    let model = Sample.makeModel()
    model.entities.insert(other, at: 0)
    let path = sample.folder.appendingPathComponent("other.mom")
    try model.write(to: path)
    let facts = try StoreReport.facts(ofStoreAt: sample.file.path, modelPath: path.path)
    #expect(facts["hashesAgree"] == .bool(false))
    #expect(facts["rows"] == .integer(5) && facts["entities"] == .integer(2))
    try Sample.makeModel().write(to: path)
    let same = try StoreReport.facts(ofStoreAt: sample.file.path, modelPath: path.path)
    #expect(try same == StoreReport.facts(ofStoreAt: sample.file.path, modelPath: nil))
    #expect(same["hashesAgree"] == .bool(true))
  }

  @Test("a copy with other version hashes reports the entities whose hashes differ")
  func otherHashes() throws {
    let sample = try Sample()
    try sample.writeItems(2)
    let model = Sample.makeModel()
    model.entitiesByName["Item"]?.versionHashModifier = "2"
    try model.write(to: sample.folder.appendingPathComponent("other.mom"))
    let run = try ToolProcess(
      "\"$TOOL\" copy \"$1\" \"${1%/*}/copy.sqlite\" --model \"${1%/*}/other.mom\"",
      store: sample.file)
    #expect(run.status == 1, "\(run.errors)")
    #expect(
      run.errors.contains("The version hashes of the copy differ from those of the store: Item."),
      "\(run.errors)")
  }
}
