import COpenSQLite
import Foundation
import OpenObjectModel
import OpenStoreTool
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Models, and files that are not models")
struct ModelInputTests {
  @Test(
    "a mapping model is called one, as store and as model",
    arguments: ["V1toV2.cdm", "V1toV2.xcmappingmodel"])
  func mappingModel(_ name: String) throws {
    let sample = try Sample()
    let url = sample.folder.appendingPathComponent(name)
    if name.hasSuffix(".cdm") {
      try Data("bplist00".utf8).write(to: url)
    } else {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    let attempts: [() throws -> Void] = [
      { _ = try ModelReport(at: url.path) },
      { _ = try InspectedStore(at: url.path, modelPath: nil) },
      { _ = try StoreReport.facts(ofStoreAt: url.path, modelPath: nil) },
      { _ = try ModelConversion.source(of: url.path) },
    ]
    for attempt in attempts {
      let error = #expect(throws: ToolError.self) { try attempt() }
      #expect(error?.status == .unreadable)
      #expect(error?.message.contains("This is a mapping model") == true)
    }
  }

  @Test("a pipe is reported as a pipe, without waiting for a writer", .timeLimit(.minutes(30)))
  func pipe() throws {
    let sample = try Sample()
    let path = sample.folder.appendingPathComponent("pipe.mom").path
    #expect(mkfifo(path, 0o600) == 0)
    let attempts: [() throws -> Void] = [
      { _ = try ModelReport(at: path) }, { _ = try InspectedStore(at: path, modelPath: nil) },
      { _ = try StoreReport.facts(ofStoreAt: path, modelPath: nil) },
      { _ = try ModelConversion.source(of: path) },
    ]
    for attempt in attempts {
      let error = #expect(throws: ToolError.self) { try attempt() }
      #expect(error?.message.contains("a pipe, socket or device") == true)
    }
  }

  @Test("classes of a compiled model or a store are not generated, and the error says what to do")
  func classesWithoutDocument() throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let place = sample.folder.appendingPathComponent("Model")
    for ending in ["mom", "momd"] {
      try Sample.makeModel().write(to: place.appendingPathExtension(ending))
    }
    let paths = ["mom", "momd"].map { place.appendingPathExtension($0).path } + [sample.file.path]
    for path in paths {
      let error = #expect(throws: ToolError.self) { try ModelConversion.source(of: path) }
      #expect(error?.message.hasPrefix("\(path): Classes can be generated only") == true)
      #expect(error?.message.contains("model decompile") == true)
    }
    let missing = sample.folder.appendingPathComponent("Missing.xcdatamodel").path
    let error = #expect(throws: ToolError.self) { try ModelConversion.source(of: missing) }
    #expect(error?.message.hasPrefix("\(missing): There is no model at this path") == true)
  }

  @Test("a store without a copy of its model has all facts that need no model")
  func factsWithoutModel() throws {
    let sample = try Sample()
    try sample.writeItems(4)
    let with = try StoreReport.facts(ofStoreAt: sample.file.path, modelPath: nil)
    var database: OpaquePointer?
    #expect(sqlite3_open(sample.file.path, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "DELETE FROM Z_MODELCACHE", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let without = try StoreReport.facts(ofStoreAt: sample.file.path, modelPath: nil)
    #expect(without.map(\.key) == with.map(\.key))
    #expect(without["hashesAgree"] == .null)
    for key in ["uuid", "entities", "rows", "digestAgrees", "checksumAgrees", "frameworkVersion"] {
      #expect(without[key] == with[key], "\(key)")
    }
  }

  private func changes(
    _ wanted: ModelReport.Changes, _ change: (NSManagedObjectModel) -> Void
  ) throws -> [[OutputValue.Field]] {
    let sample = try Sample()
    let (old, new) = (Sample.makeModel(), Sample.makeModel())
    change(new)
    let paths = ["old.mom", "new.mom"].map { sample.folder.appendingPathComponent($0) }
    try old.write(to: paths[0])
    try new.write(to: paths[1])
    return try ModelReport(at: paths[0].path).changes(to: ModelReport(at: paths[1].path), wanted)
  }

  @Test("differences of hashes include only changes of version hashes")
  func hashDifferences() throws {
    let change: (NSManagedObjectModel) -> Void = { model in
      let item = model.entitiesByName["Item"]
      item?.attributesByName["title"]?.isOptional = false
      item?.attributesByName["title"]?.defaultValue = "none"
      item?.attributesByName["small"]?.defaultValue = 3
      item?.userInfo = ["a": "b"]
      model.entitiesByName["Owner"]?.relationshipsByName["items"]?.deleteRule = .cascadeDeleteRule
    }
    #expect(try changes(.all, change).count > 3)
    let hashes = try changes(.ofHashes, change)
    #expect(hashes.map { $0["name"] } == [.text("title")])
    #expect(hashes.map { $0["aspect"] } == [.text("optional")])
  }

  @Test("the migration for a difference is the inferred mapping, or the list of obstacles")
  func migration() throws {
    let sample = try Sample()
    let new = Sample.makeModel()
    let title = try #require(new.entitiesByName["Item"]?.attributesByName["title"])
    title.renamingIdentifier = "title"
    title.name = "heading"
    let paths = ["old.mom", "new.mom"].map { sample.folder.appendingPathComponent($0) }
    try Sample.makeModel().write(to: paths[0])
    try new.write(to: paths[1])
    let old = try ModelReport(at: paths[0].path)
    let renamed = try old.migration(to: ModelReport(at: paths[1].path))
    #expect(renamed.isInferred)
    #expect(renamed.rows.contains { $0["mapping"] == .text("IEM_Transform_Item") })
    #expect(renamed.rows.allSatisfy { $0["added"] == .list([]) && $0["removed"] == .list([]) })

    let other = Sample.makeModel()
    other.entitiesByName["Item"]?.attributesByName["title"]?.type = .date
    try other.write(to: paths[1])
    let changed = try old.migration(to: ModelReport(at: paths[1].path))
    #expect(!changed.isInferred)
    #expect(changed.rows.map { $0["property"] } == [.text("title")])
    let run = try ToolProcess(
      "\"$TOOL\" model diff --migration \"${1%/*}/old.mom\" \"${1%/*}/new.mom\"", store: sample.file
    )
    #expect(run.status == 1)
    #expect(run.output.contains("Convert the values with a mapping model"))
  }

  @Test(
    "policies have a method for each property that cannot be inferred, and none is needed without")
  func policies() throws {
    let sample = try Sample()
    let new = Sample.makeModel()
    let title = try #require(new.entitiesByName["Item"]?.attributesByName["title"])
    title.renamingIdentifier = "title"
    title.name = "heading"
    title.type = .date
    let paths = ["old.mom", "new.mom"].map { sample.folder.appendingPathComponent($0) }
    try Sample.makeModel().write(to: paths[0])
    try new.write(to: paths[1])
    let old = try ModelReport(at: paths[0].path)
    let source = try #require(try old.policySource(to: ModelReport(at: paths[1].path)))
    for line in [
      "final class ItemMigrationPolicy: NSEntityMigrationPolicy {",
      "      object.setValue(try newHeading(of: sInstance), forKey: \"heading\")",
      "  private func newHeading(of source: NSManagedObject) throws -> Any? {",
      "    source.value(forKey: \"title\")",
    ] {
      #expect(source.split(separator: "\n").contains(line[...]), "\(line)")
    }
    #expect(try old.policySource(to: old) == nil)
    let run = try ToolProcess(
      "\"$TOOL\" model diff --policy \"${1%/*}/old.mom\" \"${1%/*}/new.mom\"", store: sample.file)
    #expect(run.status == 1 && run.output == source)
  }

  @Test("a document of a mapping model is compiled for the models that it names, or for given ones")
  func mappingModels() throws {
    let sample = try Sample()
    let url = sample.folder.appendingPathComponent("M.xcmappingmodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let text = """
      <database><object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath">old.xcdatamodel</attribute>
      <attribute name="destinationmodelpath">new.xcdatamodel</attribute>
      <relationship name="entitymappings" idrefs="z2"/></object>
      <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename">Item</attribute>
      <attribute name="destinationname">Item</attribute></object></database>
      """
    try Data(text.utf8).write(to: url.appendingPathComponent("xcmapping.xml"))
    let result = sample.folder.appendingPathComponent("M.cdm")
    let missing = try ToolProcess(
      "\"$TOOL\" model compile \"${1%/*}/M.xcmappingmodel\" \"${1%/*}/M.cdm\"", store: sample.file)
    #expect(missing.status == 3)
    #expect(!FileManager.default.fileExists(atPath: result.path))
    try Sample.makeModel().write(to: sample.folder.appendingPathComponent("new.mom"))
    let run = try ToolProcess(
      """
      "$TOOL" model compile "${1%/*}/M.xcmappingmodel" "${1%/*}/M.cdm" \
        --source "${1%/*}/new.mom" --destination "${1%/*}/new.mom"
      """, store: sample.file)
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(FileManager.default.fileExists(atPath: result.path))
    // A compiled mapping model is checked against given models.
    let other = Sample.makeModel()
    other.entitiesByName["Item"]?.attributesByName["title"]?.type = .date
    try other.write(to: sample.folder.appendingPathComponent("old.mom"))
    let error = #expect(throws: ToolError.self) {
      try ModelConversion.writeMapping(
        result.path, to: result.path,
        models: (
          sample.folder.appendingPathComponent("old.mom").path,
          sample.folder.appendingPathComponent("new.mom").path
        ))
    }
    #expect(error?.status == .unreadable)
  }

  @Test("a store has no differences of hashes from its model's document")
  func storeAgainstDocument() throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let document = sample.folder.appendingPathComponent("Model.xcdatamodeld")
    try Sample.makeModel().write(to: document)
    let difference = try ModelReport(at: sample.file.path)
      .changes(to: ModelReport(at: document.path), .ofHashes)
    #expect(difference.isEmpty)
    let run = try ToolProcess(
      "\"$TOOL\" model diff --hashes \"$1\" \"${1%/*}/Model.xcdatamodeld\"", store: sample.file)
    #expect(run.status == 0 && run.output.isEmpty)
  }
}
