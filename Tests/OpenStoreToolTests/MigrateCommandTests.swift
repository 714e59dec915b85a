import Foundation
import OpenCoreData
import OpenObjectModel
import OpenStoreTool
import Testing

@Suite("Migrations by the command line")
struct MigrateCommandTests {
  /// The folder of a model whose first version is the sample's, with an attribute more in each later one.
  private func folder(beside file: URL, _ models: [String: NSManagedObjectModel]) throws -> URL {
    let folder = file.deletingLastPathComponent().appendingPathComponent("Versions.momd")
    let current = models.keys.sorted().last ?? ""
    try NSManagedObjectModel.write(models, current: current, to: folder)
    return folder
  }

  private func versions(of sample: Sample) throws -> [String: NSManagedObjectModel] {
    let first = try InspectedStore.model(of: sample.file, nil)
    let second = try #require(first.copy() as? NSManagedObjectModel)
    let entity = try #require(second.entities.first { $0.superentity == nil && !$0.isAbstract })
    let attribute = NSAttributeDescription()
    attribute.name = "addedLater"
    attribute.type = .string
    attribute.isOptional = true
    entity.properties.append(attribute)
    return ["V1": first, "V2": second]
  }

  @Test("plans and dry runs change nothing; a migration creates a backup and migrates")
  func planAndRun() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let model = try folder(beside: sample.file, versions(of: sample))
    let before = try Data(contentsOf: sample.file)
    let migrate = "\"$TOOL\" migrate \"$1\" --model '\(model.path)'"
    let plan = try ToolProcess("\(migrate) --plan --format json", store: sample.file)
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.contains("\"from\":\"V1\"") && plan.output.contains("\"to\":\"V2\""))
    #expect(plan.output.contains("\"way\":\"inPlace\""), "\(plan.output)")
    let statements = try ToolProcess(
      "\(migrate) --plan --statements --format ndjson", store: sample.file)
    #expect(statements.output.contains("ALTER TABLE"), "\(statements.output)")
    let trial = try ToolProcess("\(migrate) --dry-run", store: sample.file)
    #expect(trial.status == 0, "\(trial.errors)")
    #expect(try Data(contentsOf: sample.file) == before)
    let run = try ToolProcess("\(migrate) --format json", store: sample.file)
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("█"))
    let store = try InspectedStore.model(of: sample.file, nil)
    #expect(store.entities.contains { $0.attributesByName["addedLater"] != nil })
    #expect(try BackupReport.list(ofStoreAt: sample.file.path, in: nil).count == 1)
    let again = try ToolProcess("\(migrate) --format json", store: sample.file)
    #expect(again.status == 0 && again.output == "[]\n", "\(again.output)")
    #expect(again.errors == "\(sample.file.path): The store already has the version V2.\n")
  }

  @Test("a migration with a mapping model does not warn about classes, which the tool never has")
  func classes() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let models = try versions(of: sample)
    for model in models.values {
      model.entitiesByName["Item"]?.managedObjectClassName = "ClassOfAnotherProgram"
    }
    let model = try folder(beside: sample.file, models)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: #require(models["V1"]), destinationModel: #require(models["V2"]))
    try mapping.write(to: sample.folder.appendingPathComponent("V1toV2.cdm"))
    let migrate = "\"$TOOL\" migrate \"$1\" --model '\(model.path)' --format json"
    let plan = try ToolProcess("\(migrate) --plan", store: sample.file)
    #expect(plan.output.contains("\"mapping\":\"mapped\""), "\(plan.output)")
    let run = try ToolProcess(migrate, store: sample.file)
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("ClassOfAnotherProgram"), "\(run.errors)")
  }

  @Test("for a single version in a folder, the mapping models next to the folder are used")
  func mappedVersion() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let models = try versions(of: sample)
    let model = try folder(beside: sample.file, models).appendingPathComponent("V2.mom")
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: #require(models["V1"]), destinationModel: #require(models["V2"]))
    try mapping.write(to: sample.folder.appendingPathComponent("V1toV2.cdm"))
    let plan = try ToolProcess(
      "\"$TOOL\" migrate \"$1\" --model '\(model.path)' --plan --format json", store: sample.file)
    #expect(plan.output.contains("\"mapping\":\"mapped\""), "\(plan.output)")
  }

  @Test(
    "a folder that cannot be searched for mapping models is reported, and no mapping is inferred",
    .enabled(if: getuid() != 0, "root can read every folder"))
  func unreadableMappings() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let folder = sample.folder.appendingPathComponent("Models")
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    let model = try self.folder(
      beside: folder.appendingPathComponent("any"), versions(of: sample))
    try manager.setAttributes([.posixPermissions: 0o300], ofItemAtPath: folder.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
    let plan = try ToolProcess(
      "\"$TOOL\" migrate \"$1\" --model '\(model.path)' --plan", store: sample.file)
    #expect(plan.status == 3 && plan.output.isEmpty, "\(plan.output)")
    #expect(plan.errors.contains(folder.path), "\(plan.errors)")
  }

  @Test("the model in the store is enough to migrate to a single version")
  func oneVersion() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let model = try folder(beside: sample.file, versions(of: sample))
      .appendingPathComponent("V2.mom")
    let run = try ToolProcess(
      "\"$TOOL\" migrate \"$1\" --model '\(model.path)' --no-backup --format json",
      store: sample.file)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"to\":\"V2\""), "\(run.output)")
    #expect(try BackupReport.list(ofStoreAt: sample.file.path, in: nil).isEmpty)
  }

  @Test("a store whose version is not in the folder is migrated from its own model")
  func unknownVersion() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    var models = try versions(of: sample)
    models["V1"] = nil
    let model = try folder(beside: sample.file, models)
    let run = try ToolProcess(
      "\"$TOOL\" migrate \"$1\" --model '\(model.path)' --plan --format json", store: sample.file)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"from\":\"the store's\""), "\(run.output)")
  }

  @Test("a migration from a model that only the store has deletes no values without --allow-loss")
  func loss() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let older = try #require(
      try InspectedStore.model(of: sample.file, nil).copy() as? NSManagedObjectModel)
    let item = try #require(older.entitiesByName["Item"])
    item.properties.removeAll { $0.name == "title" }
    let model = try folder(beside: sample.file, ["Older": older])
    let migrate = "\"$TOOL\" migrate \"$1\" --model '\(model.path)' --no-backup --format json"
    let refused = try ToolProcess(migrate, store: sample.file)
    #expect(refused.status == 2, "\(refused.output)")
    #expect(refused.errors.contains("Item.title (3)"), "\(refused.errors)")
    #expect(refused.errors.contains("--allow-loss"), "\(refused.errors)")
    let trial = try ToolProcess("\(migrate) --dry-run", store: sample.file)
    #expect(trial.status == 2 && trial.errors == refused.errors, "\(trial.errors)")
    #expect(try sample.rows().compactMap { $0["title"]?.cell }.count == 3)
    let allowed = try ToolProcess("\(migrate) --allow-loss", store: sample.file)
    #expect(allowed.status == 0, "\(allowed.errors)")
    let left = try InspectedStore.model(of: sample.file, nil).entitiesByName["Item"]
    #expect(left != nil && left?.attributesByName["title"] == nil)
  }

  @Test(
    "a file that cannot be migrated ends with a message",
    arguments: [
      ("--to V9", 3, "no version named V9"), ("--plan --dry-run", 2, "Use only one of"),
      ("--statements", 2, "--statements requires --plan"),
      ("--resume --to V2", 2, "Omit --to"), ("--resume", 2, "No migration was interrupted"),
      ("--roll-back", 2, "No migration with a backup was interrupted"),
    ])
  func mistakes(_ options: String, _ status: Int32, _ message: String) throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let model = try folder(beside: sample.file, versions(of: sample))
    let run = try ToolProcess(
      "\"$TOOL\" migrate \"$1\" --model '\(model.path)' \(options)", store: sample.file)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test("a migration that was interrupted continues with --resume only")
  func interrupted() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let model = try folder(beside: sample.file, versions(of: sample))
    let state = sample.file.deletingLastPathComponent()
      .appendingPathComponent(".\(sample.file.lastPathComponent).migration-state")
    try Data(#"{"source":"V1","destination":"V2","stops":[],"process":1}"#.utf8).write(to: state)
    let migrate = "\"$TOOL\" migrate \"$1\" --model '\(model.path)'"
    let refused = try ToolProcess(migrate, store: sample.file)
    #expect(refused.status == 2 && refused.errors.contains("--resume"), "\(refused.errors)")
    let resumed = try ToolProcess("\(migrate) --resume --format json", store: sample.file)
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(resumed.output.contains("\"to\":\"V2\""))
    #expect(!FileManager.default.fileExists(atPath: state.path))
    try Data("nonsense".utf8).write(to: state)
    let damaged = try ToolProcess(migrate, store: sample.file)
    #expect(damaged.status == 3 && damaged.errors.contains("journal"), "\(damaged.errors)")
  }
}
