import Foundation
import OpenObjectModel
import Testing

@Suite("Models and the metadata of stores")
struct StoreCompatibilityTests {
  private func metadata(_ hashes: [String: Data]) -> [String: Any] {
    ["NSStoreModelVersionHashes": hashes, "NSStoreType": "SQLite"]
  }

  @Test("a model fits the metadata with exactly its entities, identifiers aside")
  func bothDirections() {
    let model = HashedShelf.model()
    var hashes = model.entityVersionHashesByName
    var stored = metadata(hashes)
    stored["NSStoreModelVersionIdentifiers"] = ["other"]
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: stored))
    hashes["Extra"] = Data(count: 32)
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata(hashes)))
    hashes["Extra"] = nil
    hashes["Volume"] = nil
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata(hashes)))
    hashes["Volume"] = Data(count: 32)
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata(hashes)))
  }

  @Test("metadata that went through a property list fits")
  func propertyList() throws {
    let model = HashedShelf.model()
    let data = try PropertyListSerialization.data(
      fromPropertyList: metadata(model.entityVersionHashesByName), format: .binary, options: 0)
    let read = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: read))
  }

  @Test("a configuration fits the metadata with its own entities only")
  func configurations() {
    let model = HashedShelf.model()
    let volume = model.entities[0]
    model.setEntities([volume], forConfigurationName: "Volumes")
    let stored = metadata(["Volume": volume.versionHash])
    #expect(model.isConfiguration(withName: "Volumes", compatibleWithStoreMetadata: stored))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: stored))
    #expect(!model.isConfiguration(withName: "Unknown", compatibleWithStoreMetadata: stored))
  }

  @Test(
    "metadata without valid hashes is compatible with no model",
    arguments: ["absent", "text", "numbers"])
  func badMetadata(_ kind: String) {
    let values: [String: Any] = [
      "text": ["NSStoreModelVersionHashes": "no"],
      "numbers": ["NSStoreModelVersionHashes": ["Item": 1, "Shelf": 2, "Volume": 3]],
    ]
    let stored = values[kind] as? [String: Any] ?? [:]
    let model = HashedShelf.model()
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: stored))
    #expect(
      !NSManagedObjectModel().isConfiguration(withName: nil, compatibleWithStoreMetadata: stored))
    #expect(NSManagedObjectModel(byMerging: [model], forStoreMetadata: stored) == nil)
  }

  @Test("of several versions the one that a store was written with is found")
  func merging() throws {
    let (old, new) = (HashedShelf.model(), HashedShelf.model())
    new.entities[0].versionHashModifier = "new"
    let stored = metadata(old.entityVersionHashesByName)
    let found = try #require(NSManagedObjectModel(byMerging: [new, old], forStoreMetadata: stored))
    #expect(found.entityVersionHashesByName == old.entityVersionHashesByName)
    #expect(found.entities.allSatisfy { entity in !old.entities.contains { $0 === entity } })
    #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: stored) == nil)
  }

  @Test("entities of several models are put together for a store")
  func merginParts() throws {
    let (first, second) = (HashedShelf.model(), Make.model([Make.entity("Note", [])]))
    let third = Make.model([Make.entity("Unused", [])])
    let hashes = first.entityVersionHashesByName
      .merging(second.entityVersionHashesByName) { first, _ in first }
    let found = try #require(
      NSManagedObjectModel(byMerging: [third, second, first], forStoreMetadata: metadata(hashes)))
    #expect(found.entityVersionHashesByName == hashes)
  }

  @Test("two different entities of one name are named when models cannot be merged")
  func conflict() throws {
    let (old, new) = (HashedShelf.model(), HashedShelf.model())
    #expect(try NSManagedObjectModel(merging: [old, new]).entities.count == 3)
    new.entities[0].versionHashModifier = "new"
    #expect(NSManagedObjectModel(byMerging: [old, new]) == nil)
    let error = #expect(throws: ModelError.self) { try NSManagedObjectModel(merging: [old, new]) }
    #expect(error?.code == .duplicateName)
    #expect(error?.entityName == "Volume")
  }

  @Test("merged models have the templates, configurations and identifiers of all")
  func mergedExtras() throws {
    let (first, second) = (HashedShelf.model(), Make.model([Make.entity("Note", [])]))
    first.fetchTemplates = ["a": FetchTemplate(entityName: "Shelf")]
    second.fetchTemplates = [
      "a": FetchTemplate(entityName: "Note"), "b": FetchTemplate(entityName: "Note"),
    ]
    first.setEntities([first.entities[0]], forConfigurationName: "Cloud")
    second.setEntities(second.entities, forConfigurationName: "Cloud")
    (first.versionIdentifiers, second.versionIdentifiers) = (["1"], ["2"])
    let merged = try NSManagedObjectModel(merging: [first, second])
    #expect(merged.fetchTemplates.mapValues(\.entityName) == ["a": "Shelf", "b": "Note"])
    #expect(merged.versionIdentifiers == ["1", "2"])
    let members = merged.entities(forConfigurationName: "Cloud") ?? []
    #expect(members.compactMap(\.name) == ["Volume", "Note"])
  }

  @Test("a folder without versions has no checksums, and the error reports it")
  func noVersions() {
    let nowhere = URL(fileURLWithPath: "/nowhere/Model.momd")
    #expect(throws: ModelError.self) {
      try NSManagedObjectModel.checksumsForVersionedModel(at: nowhere)
    }
  }
}
