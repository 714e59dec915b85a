import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenStoreContract
import Testing

import class OpenPredicates.NSExpression

/// Stores that are migrated when they are added by a mapping model of the program.
@Suite("Automatic migration by a mapping model in a bundle")
struct BundledMappingTests {
  @Test(
    "a mapping model in the program's bundles takes precedence over inference, and works without it"
  )
  func mapping() throws {
    let fixture = try MigrationFixture()
    let old = Library.old()
    let new = Library.old()
    new.entitiesByName["Book"]?.attribute("isbn", isOptional: false)
    try fixture.with("store", old) { Library.fill($0) }
    let bundle = try TestBundle(file: "Library.cdm") {
      try mapping(from: old, to: new).write(to: $0)
    }
    defer { bundle.remove() }
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: false, OpenModelVersionsOption: [old],
    ]
    let titles = try fixture.with("store", old) { try $0.texts("Book", "title") }
    try fixture.with("store", new, options: options) { context in
      #expect(try context.texts("Book", "title") == titles)
      let numbers = try context.texts("Book", "isbn")
      #expect(Set(numbers) == ["unknown"])
    }
    #expect(try fixture.files.filter { $0.contains("migrating") } == [])
  }

  @Test(
    "a mapping model that cannot be read is error 134140 with the reasons, and the store is unchanged",
    arguments: [true, false])
  func unreadable(infers: Bool) throws {
    let fixture = try MigrationFixture()
    let old = Library.old()
    let new = Library.new()
    try fixture.with("store", old) { Library.fill($0) }
    let folder = try MappingFolder()
    try folder.write(Data("bplist00".utf8), to: "Library.cdm")
    let bundle = try #require(Bundle(url: folder.url))
    let options: [AnyHashable: Any] = [
      NSInferMappingModelAutomaticallyOption: infers, OpenModelVersionsOption: [old],
    ]
    let url = fixture.url("store")
    let files = try #require(try StoreTypes.opener(of: NSSQLiteStoreType).files)
    let request = try StoreMigrationRequest(
      type: NSSQLiteStoreType, url: url,
      configuration: StoreConfiguration(url: url, options: options), options: options,
      model: new.compiled(), files: files)
    let error = #expect(throws: CocoaError.self) {
      try VersionStep(request, in: [bundle]).run()
    }
    #expect(error?.code == .migrationMissingMappingModel)
    #expect(error?.localizedDescription.contains("Library.cdm: ") == true)
    let reason = error?.userInfo[NSUnderlyingErrorKey] as? MigrationError
    #expect(reason?.code == .noMapping)
    #expect(try fixture.with("store", old) { try $0.texts("Tag", "word").count } == 3)
    // A file that has been deleted does not prevent the inference of a mapping.
    try FileManager.default.removeItem(at: folder["Library.cdm"])
    guard infers else { return }
    try VersionStep(request, in: [bundle]).run()
    #expect(try fixture.with("store", new) { try $0.texts("Tag", "word").count } == 3)
  }

  /// The mapping that would be inferred if the number of a book were optional, with a value for it.
  private func mapping(
    from old: NSManagedObjectModel, to new: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let loose = Library.old()
    loose.entitiesByName["Book"]?.attribute("isbn")
    let model = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: loose)
    for mapping in model.entityMappings {
      let entity = mapping.destinationEntityName.flatMap { new.entitiesByName[$0] }
      mapping.destinationEntityVersionHash = entity?.versionHash
      guard entity?.attributesByName["isbn"] != nil else { continue }
      let number = NSPropertyMapping()
      number.name = "isbn"
      number.valueExpression = NSExpression(forConstantValue: "unknown")
      mapping.attributeMappings?.append(number)
    }
    return model
  }
}
