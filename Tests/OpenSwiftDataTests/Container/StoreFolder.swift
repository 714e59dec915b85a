import Foundation
import OpenSwiftData

/// A folder for the stores of one test, which is deleted with it.
final class StoreFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("stores-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // Remaining files are harmless.
    try? FileManager.default.removeItem(at: url)
  }

  /// The file of a store.
  func file(_ name: String = "store") -> URL { url.appendingPathComponent("\(name).store") }

  /// Opens a container, and closes it after the work.
  func with<Result>(
    _ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)? = nil,
    _ work: (ModelContext) throws -> Result
  ) throws -> Result {
    let container = try ModelContainer(
      for: schema, migrationPlan: plan, configurations: ModelConfiguration(url: file()))
    return try work(ModelContext(container))
  }

  /// As ``with(_:_:_:)``, for a version.
  func with<Result>(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil,
    _ work: (ModelContext) throws -> Result
  ) throws -> Result {
    try with(Schema(versionedSchema: version), plan, work)
  }

  /// The error of opening a container.
  func error(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) -> SwiftDataError? {
    do {
      try with(version, plan) { _ in }
      return nil
    } catch { return error as? SwiftDataError }
  }
}
