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

@Suite("Models, and what is none")
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
      { _ = try ModelReport(at: url.path) }, { _ = try OpenedStore(at: url.path, modelPath: nil) },
      { _ = try StoreReport.facts(ofStoreAt: url.path, modelPath: nil) },
      { _ = try ModelConversion.source(of: url.path) },
    ]
    for attempt in attempts {
      let error = #expect(throws: ToolError.self) { try attempt() }
      #expect(error?.status == .unreadable)
      #expect(error?.message.contains("This is a mapping model") == true)
    }
  }

  @Test("a pipe is reported as a pipe, without waiting for a writer", .timeLimit(.minutes(10)))
  func pipe() throws {
    let sample = try Sample()
    let path = sample.folder.appendingPathComponent("pipe.mom").path
    #expect(mkfifo(path, 0o600) == 0)
    let attempts: [() throws -> Void] = [
      { _ = try ModelReport(at: path) }, { _ = try OpenedStore(at: path, modelPath: nil) },
      { _ = try StoreReport.facts(ofStoreAt: path, modelPath: nil) },
      { _ = try ModelConversion.source(of: path) },
    ]
    for attempt in attempts {
      let error = #expect(throws: ToolError.self) { try attempt() }
      #expect(error?.message.contains("a pipe, socket or device") == true)
    }
  }

  @Test("a store without a copy of its model has facts, all but those that take a model")
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

  @Test("differences of hashes are only what changes version hashes")
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

  @Test("a store has no differences of hashes from the document that its model came from")
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
