public import Foundation
public import OpenMigration
public import OpenObjectGraph
internal import OpenObjectModel
public import OpenStoreContract

/// A migration of a store across any number of model versions, with a plan that can be inspected in
/// advance.
///
/// ```swift
/// let migration = try StoreMigration(storeAt: url, modelAt: folder)   // Library.momd
/// print(try migration.plan())
/// try migration.run()
/// ```
///
/// Each step uses a mapping model or an inferred mapping. Consecutive inferred mappings are
/// combined into one step if separate steps would have the same result. The migration backs up the
/// store before the first step. Each step is atomic, so the migration can be continued if the
/// process is killed. ``interrupted`` describes an interrupted migration, ``resume(progress:)``
/// continues the migration, and ``rollBack()`` undoes its steps.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: Use a `StoreMigration` on one thread at a time. The store must not be open in
/// > this process.
public struct StoreMigration {
  /// The URL of the store's file.
  public private(set) var url: URL
  /// The store's type, such as `NSSQLiteStoreType`.
  public let type: String
  /// The backups of the store; nil to migrate without a backup.
  ///
  /// By default, the backups are in the folder `NAME.backups` next to the store, where `NAME` is
  /// the name of the store's file. The migration creates a backup before the first step, and then
  /// removes all but the newest ``keptBackups`` backups.
  public var backups: StoreBackups?
  /// The number of backups to keep, including the backup that the migration creates. The default is
  /// 3. A value less than 1 is treated as 1.
  public var keptBackups = 3
  let options: [AnyHashable: Any]
  private let versions: [Version]
  private let chain: VersionChain
  /// The index of the default target version.
  private let current: Int

  /// Prepares the migration of a store whose model versions are given in an array.
  ///
  /// The default target version is the last version in the array.
  ///
  /// - Parameters:
  ///   - url: The URL of the store's file.
  ///   - type: The store's type.
  ///   - options: The options for opening the store; nil for no options.
  ///   - versions: The versions of the store's model, the oldest first.
  ///   - mappings: The mapping models to use, which take precedence over those in `bundles`; empty
  ///     for none.
  ///   - bundles: The bundles to search for additional mapping models. The migration infers the
  ///     mapping of each step for which there is no mapping model.
  public init(
    storeAt url: URL, type: String = NSSQLiteStoreType, options: [AnyHashable: Any]? = nil,
    versions: [Version], mappings: [NSMappingModel] = [], bundles: [Bundle] = []
  ) {
    self.init(
      url, type, options, versions, mappings, BundledMappings(bundles),
      current: versions.count - 1)
  }

  /// Prepares the migration of a store whose model versions are in a folder.
  ///
  /// The default target version is the current version in the folder. The versions are sorted by
  /// name, and numbers in names are sorted by value: `Library`, `Library 2`, `Library 10`.
  ///
  /// - Parameters:
  ///   - url: The URL of the store's file.
  ///   - type: The store's type.
  ///   - options: The options for opening the store; nil for no options.
  ///   - folder: A `.momd` or `.xcdatamodeld` folder.
  ///   - mappings: The mapping models to use, which take precedence over those in `bundles`; empty
  ///     for none.
  ///   - bundles: The bundles to search for additional mapping models. The migration infers the
  ///     mapping of each step for which there is no mapping model.
  /// - Throws: The same errors as ``versions(at:)``. Also throws `ModelError` with code
  ///   `.unreadable` if the folder's current version is unknown or missing.
  public init(
    storeAt url: URL, type: String = NSSQLiteStoreType, options: [AnyHashable: Any]? = nil,
    modelAt folder: URL, mappings: [NSMappingModel] = [], bundles: [Bundle] = []
  ) throws {
    let versions = try Self.versions(at: folder)
    let name = try ModelVersions.currentName(at: folder)
    self.init(
      url, type, options, versions, mappings, BundledMappings(bundles),
      current: versions.firstIndex { $0.name == name } ?? versions.count - 1)
  }

  private init(
    _ url: URL, _ type: String, _ options: [AnyHashable: Any]?, _ versions: [Version],
    _ mappings: [NSMappingModel], _ bundled: BundledMappings, current: Int
  ) {
    self.url = url
    self.type = type
    self.options = options ?? [:]
    self.versions = versions
    self.current = current
    backups = StoreBackups(ofStoreAt: url, type: NSPersistentStore.StoreType(rawValue: type))
    chain = VersionChain(versions.map(\.model), mappings, bundled)
  }

  // MARK: Planning

  /// The name of the model version that the store currently has. If several versions have the
  /// store's version hashes, the property returns the last of them whose composite attributes have
  /// the same names as in the store. If no version has these names, it returns the last of them.
  ///
  /// - Throws: `CocoaError` 134130 if the store's model is not one of the versions. Also throws
  ///   any error that occurs while the store's metadata or the model in the store is read.
  public var currentVersion: String { get throws { versions[try position()].name } }

  /// Returns whether the store's version differs from the target version.
  ///
  /// - Parameter version: The name of the target version; nil for the default target version, which
  ///   the initializer determines.
  /// - Throws: The same errors as ``currentVersion``; `CocoaError` 134110 if there is no version
  ///   with the given name.
  public func isNeeded(to version: String? = nil) throws -> Bool {
    try position() != target(version)
  }

  /// Returns the plan that ``run(to:via:progress:)`` would execute, without changing the store.
  ///
  /// - Parameters:
  ///   - version: The name of the target version; nil for the default target version, which the
  ///     initializer determines.
  ///   - stops: The names of versions that the migration must pass through, in order; empty for
  ///     none. The method ignores versions that are older than the store.
  /// - Returns: The plan.
  /// - Throws: Any error that occurs while the store is read, or a `CocoaError`:
  ///   - 134110: There is no version with a given name, the model of a version is invalid, or
  ///     stores of the type cannot be migrated.
  ///   - 134130: The store's model is not one of the versions.
  ///   - 134140: A step has no mapping model, and a mapping model in the bundles cannot be read.
  ///   - 134190: Two consecutive versions have neither a mapping model nor an inferred mapping, or
  ///     objects have no values for properties that the first step makes required.
  ///   - 134506: The store is newer than the target version, or `stops` is not in order.
  public func plan(to version: String? = nil, via stops: [String] = []) throws -> MigrationPlan {
    try plan(of: steps(to: version, via: stops))
  }

  private func plan(of steps: [VersionChain.Step]) throws -> MigrationPlan {
    MigrationPlan(
      steps: try steps.enumerated().map { index, step in
        try StepPlanning(
          step: step, source: versions[step.source], destination: versions[step.destination],
          url: url, type: type, options: options, isFirst: index == 0
        ).plan()
      })
  }

  private func steps(to version: String?, via stops: [String]) throws -> [VersionChain.Step] {
    let reached = try position()
    // Another process may have migrated the store past some of the stops.
    let ends = try stops.map { try target($0) }.filter { $0 >= reached } + [try target(version)]
    var start = reached
    var steps: [VersionChain.Step] = []
    for end in ends {
      guard start <= end else {
        throw CocoaError.make(
          CocoaError.Code(rawValue: NSStagedMigrationBackwardMigrationError),
          "The store has the version \(versions[start].name), which is newer than \(versions[end].name). A store cannot be migrated to an older version.",
          path: url.path)
      }
      steps += try chain.steps(from: start, to: end)
      start = end
    }
    return steps
  }

  private func target(_ name: String?) throws -> Int {
    guard let name else { return current }
    if let position = versions.firstIndex(where: { $0.name == name }) { return position }
    throw CocoaError.migration(
      "The model has no version named \(name). Its versions are: \(versions.map(\.name).joined(separator: ", "))."
    )
  }

  /// Returns the index of the store's version. If several versions have the same version hashes, it
  /// is the last version with the store's names of composite attributes.
  private func position() throws -> Int {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type, at: url, options: options)
    let configuration = StoreConfiguration(url: url, options: options)
    let found = try chain.position(of: metadata) {
      try StoreTypes.opener(of: type).files?.undamagedModel(configuration)
    }
    if let found { return found }
    throw CocoaError.make(
      CocoaError.Code(rawValue: NSMigrationMissingSourceModelError),
      "The store does not match any of the versions \(versions.map(\.name).joined(separator: ", ")). If the store is newer, open it with "
        + "a newer version of the program. If the store is older, add its version to the model.",
      path: url.path,
      userInfo: [
        "metadata": metadata, "URL": url.withoutPasswords,
        "reason": "Can't find model for source store",
      ])
  }

  // MARK: Running

  /// Migrates the store.
  ///
  /// If another coordinator or process is migrating the store, the method waits for at most the
  /// store's timeout. Afterward, the method runs only the steps that are still needed. Before the
  /// first step, the method creates a backup, unless ``backups`` is nil. A migration that continues
  /// after at least one completed step keeps the backup of the interrupted migration, if this
  /// backup still exists.
  ///
  /// - Parameters:
  ///   - version: The name of the target version; nil for the default target version, which the
  ///     initializer determines.
  ///   - stops: The names of versions that the migration must pass through, in order; empty for
  ///     none. The method ignores versions that are older than the store.
  ///   - progress: A closure that receives the completed fraction of all steps, from 0 to 1, and
  ///     returns false to cancel the migration; nil to report no progress.
  /// - Returns: The plan that was executed.
  /// - Throws: The same errors as ``plan(to:via:)`` and ``StoreBackups/make(keeping:)``, or a
  ///   `CocoaError` with a code in this list. If a step fails or is canceled, the store keeps the
  ///   version that the store had before this step.
  ///   - 134090: Another coordinator or process still migrates the store after the timeout.
  ///   - 134110: The store's migration journal cannot be read, written or deleted; or a step fails
  ///     for another reason, or is canceled while no migration manager copies objects.
  ///   - 134111: A step violates a uniqueness constraint.
  ///   - 134120: A step is canceled while a migration manager copies objects.
  ///   - 134170: A policy class of a mapping model is missing or ambiguous. The store is unchanged.
  ///   - 134190: Objects have no values for properties that a later step makes required.
  @discardableResult
  public func run(
    to version: String? = nil, via stops: [String] = [], progress: MigrationProgress? = nil
  ) throws -> MigrationPlan {
    guard try !steps(to: version, via: stops).isEmpty || MigrationJournal(url).hasFiles else {
      return MigrationPlan(steps: [])
    }
    let endExclusion = try excludeMigrations()
    defer { endExclusion() }
    return try migrate(to: version, via: stops, progress)
  }

  /// Migrates the store. Call only while other migrations are excluded.
  private func migrate(
    to version: String?, via stops: [String], _ progress: MigrationProgress?
  ) throws -> MigrationPlan {
    let journal = MigrationJournal(url)
    let steps = try steps(to: version, via: stops)
    let plan = try plan(of: steps)
    guard let last = steps.last else {
      try journal.remove()
      return plan
    }
    for step in steps { try step.mapping?.requirePolicies() }
    var entry = Interrupted(
      source: versions[steps[0].source].name, destination: versions[last.destination].name,
      stops: stops, process: ProcessInfo.processInfo.processIdentifier,
      storeIdentifier: try storeIdentifier())
    // A continued migration keeps the backup that was created before its first step. If the first
    // step was not completed, the store may contain newer data than this backup.
    if let earlier = try journal.read(), earlier.source != entry.source,
      earlier.mayConcern(storeWithIdentifier: entry.storeIdentifier),
      earlier.backup.map({ FileManager.default.fileExists(atPath: $0) }) ?? (backups == nil)
    {
      (entry.source, entry.backup) = (earlier.source, earlier.backup)
    } else {
      entry.backup = try backups?.make(keeping: keptBackups).url.path
    }
    try journal.write(entry)
    for (index, step) in steps.enumerated() {
      try run(step) { fraction in
        progress?((Double(index) + fraction) / Double(steps.count)) ?? true
      }
    }
    try journal.remove()
    _ = progress?(1)
    return plan
  }

  /// Waits until no other coordinator or process migrates the store.
  ///
  /// - Returns: A closure that ends the exclusion of other migrations.
  private func excludeMigrations() throws -> @Sendable () -> Void {
    guard let exclude = try StoreTypes.opener(of: type).files?.excludeMigrations else { return {} }
    do {
      return try exclude(StoreConfiguration(url: url, options: options))
    } catch let error as StoreError {
      throw CocoaError.surfaced(error)
    }
  }

  private func run(_ step: VersionChain.Step, _ progress: MigrationProgress) throws {
    try withoutActuallyEscaping(progress) { progress in
      let request = try StepPlanning.request(
        url: url, type: type, options: options, to: versions[step.destination].model)
      let source = versions[step.source].model
      if let mapping = step.mapping {
        try ReplacingMigration(request, from: source, mapping).run(progress)
      } else {
        try VersionStep(request).migrate(from: source, progress: progress)
      }
    }
  }

  /// Runs the migration on a temporary copy of the store. The original store does not change.
  ///
  /// - Parameters:
  ///   - version: The name of the target version; nil for the default target version, which the
  ///     initializer determines.
  ///   - stops: The names of versions that the migration must pass through, in order; empty for
  ///     none. The method ignores versions that are older than the store.
  ///   - folder: The folder for the copy; nil for the system's temporary folder.
  ///   - inspect: A closure that receives the URL of the migrated copy. The method deletes the copy
  ///     after the closure returns.
  /// - Returns: The plan that was executed on the copy.
  /// - Throws: The same errors as ``run(to:via:progress:)``, any error that occurs while the store
  ///   is copied, and any error that `inspect` throws.
  @discardableResult
  public func dryRun(
    to version: String? = nil, via stops: [String] = [], in folder: URL? = nil,
    inspect: (URL) throws -> Void = { _ in }
  ) throws -> MigrationPlan {
    let place = (folder ?? FileManager.default.temporaryDirectory)
      .appendingPathComponent("migration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    // The system deletes files that remain in the temporary folder.
    defer { try? FileManager.default.removeItem(at: place) }
    let copy = place.appendingPathComponent(url.lastPathComponent)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.replacePersistentStore(
      at: copy, withPersistentStoreFrom: url, ofType: type)
    var migration = self
    migration.url = copy
    migration.backups = nil
    let plan = try migration.run(to: version, via: stops)
    try inspect(copy)
    return plan
  }

  // MARK: Going on

  /// Continues an interrupted migration from the store's current version.
  ///
  /// If another coordinator or process is migrating the store, the method waits for at most the
  /// store's timeout.
  ///
  /// - Parameter progress: A closure that receives the completed fraction of the remaining steps,
  ///   from 0 to 1, and returns false to cancel the migration; nil to report no progress.
  /// - Returns: The plan that was executed, or nil if there is no interrupted migration.
  /// - Throws: The same errors as ``run(to:via:progress:)``.
  @discardableResult
  public func resume(progress: MigrationProgress? = nil) throws -> MigrationPlan? {
    guard MigrationJournal(url).exists else { return nil }
    let endExclusion = try excludeMigrations()
    defer { endExclusion() }
    guard let interrupted = try interrupted else { return nil }
    return try migrate(to: interrupted.destination, via: interrupted.stops, progress)
  }

  /// Undoes an interrupted migration by replacing the store with its backup.
  ///
  /// If another coordinator or process is migrating the store, the method waits for at most the
  /// store's timeout. If the migration completed no step, the method does not change the store,
  /// because the store may contain newer data than the backup.
  ///
  /// - Returns: The backup, which the method keeps. If there is no interrupted migration, or if the
  ///   migration did not create a backup, the result is nil and the store is unchanged.
  /// - Throws: The same errors as ``StoreBackups/restore(_:to:)``; `CocoaError` 134090 if another
  ///   coordinator or process still migrates the store after the timeout; 134110 if the store's
  ///   migration journal cannot be read or deleted, or was written for another store; any error
  ///   that occurs while the metadata of an intact store is read.
  @discardableResult
  public func rollBack() throws -> StoreBackup? {
    let journal = MigrationJournal(url)
    guard journal.exists else { return nil }
    let endExclusion = try excludeMigrations()
    defer { endExclusion() }
    guard let entry = try journal.read(), let path = entry.backup else { return nil }
    let place = URL(fileURLWithPath: path)
    let known = StoreBackups(
      ofStoreAt: url, in: place.deletingLastPathComponent(),
      type: NSPersistentStore.StoreType(rawValue: type))
    guard
      let backup = try known.list().first(where: {
        $0.url.lastPathComponent == place.lastPathComponent
      })
    else {
      throw CocoaError.make(
        .fileReadNoSuchFile, "The backup that the migration created does not exist.", path: path)
    }
    try requireStore(of: entry)
    if try hasLeft(entry.source) { try known.restore(backup) }
    try journal.remove()
    return backup
  }
}
