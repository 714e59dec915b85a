package import Foundation
package import OpenObjectGraph
package import OpenObjectModel
package import OpenStoreContract

/// Migrates stores when a coordinator adds them.
package struct AutomaticMigration: StoreMigrating {
  package init() {}

  package func migrate(_ request: StoreMigrationRequest) throws {
    if let stages = request.stagedManager { return try stages.migrate(request) }
    try VersionStep(request).run()
  }

  package func hasBegunStage(_ request: StoreMigrationRequest) -> Bool {
    guard let stages = request.stagedManager else { return false }
    return type(of: stages).hasBegunStage(in: request.metadata)
  }

  package func resume(_ request: StoreMigrationRequest) throws {
    try request.stagedManager?.resume(request)
  }
}

/// A type that migrates a store in stages.
///
/// The only conforming class, `NSStagedMigrationManager`, belongs to the umbrella module, because
/// the handlers of its stages use an `NSPersistentContainer`.
package protocol StagedMigrating: AnyObject {
  /// Migrates a store to the model of a request.
  ///
  /// - Parameter request: The store and its new model.
  /// - Throws: The error of a stage's handler, or a `CocoaError`, for example:
  ///   - 134504: No stage contains the store's version, or the version of a stage is not found.
  ///   - 134506: The store is newer than the model.
  func migrate(_ request: StoreMigrationRequest) throws

  /// Returns whether the metadata of a store records a stage whose `didMigrateHandler` was not
  /// completed.
  ///
  /// - Parameter metadata: The store's metadata.
  static func hasBegunStage(in metadata: [String: Any]) -> Bool

  /// Runs the `didMigrateHandler` that a killed process did not complete.
  ///
  /// The method does nothing if the store's metadata records no such handler.
  ///
  /// - Parameter request: The store and its model.
  /// - Throws: The error of the handler; `CocoaError` 134504 if the stage's model is not found; the
  ///   store's error as a `CocoaError` if the store or its metadata cannot be read or written.
  func resume(_ request: StoreMigrationRequest) throws
}

extension StoreMigrationRequest {
  fileprivate var stagedManager: (any StagedMigrating)? {
    options[NSPersistentStoreStagedMigrationManagerOptionKey] as? any StagedMigrating
  }

  /// The model versions in the option `OpenModelVersionsOption` of the request, in the folder of
  /// the request's model, and in the program's bundles.
  package var library: ModelLibrary {
    let given = options[OpenModelVersionsOption]
    let models = given as? [Any] ?? (given as? NSArray)?.map { $0 } ?? []
    return ModelLibrary(
      models.compactMap { $0 as? NSManagedObjectModel }, beside: model.descriptions)
  }
}

/// A migration of a store from its current version to another version, with a mapping model from a
/// bundle or with an inferred mapping.
package struct VersionStep {
  private var request: StoreMigrationRequest
  private let bundles: [Bundle]?

  /// Creates a migration without starting it.
  ///
  /// - Parameters:
  ///   - request: The store and its new model.
  ///   - bundles: The bundles to search for mapping models; nil to search all bundles of the
  ///     program.
  package init(_ request: StoreMigrationRequest, in bundles: [Bundle]? = nil) {
    self.request = request
    self.bundles = bundles
  }

  /// Migrates the store from the model version that the store was written with.
  ///
  /// - Throws: `CocoaError` 134130 if the store's model version is unknown or damaged; the store's
  ///   error as a `CocoaError` if the store cannot be read.
  ///
  ///   If a mapping model matches, the method throws the same errors as
  ///   ``ReplacingMigration/run(_:)``.
  ///
  ///   If no mapping model matches, the method throws `CocoaError` 134140 if a mapping model cannot
  ///   be read or the options do not allow an inferred mapping. The method throws 134130 if the
  ///   inferred mapping would lose data and only the store itself contains the old model version.
  ///   Otherwise, the method throws the same errors as ``migrateAutomatically(from:)``.
  package func run() throws {
    let (source, isKept) = try wholeSourceModel()
    let destination = request.model.descriptions
    var step = self
    // The metadata lists only the entities of the configuration; the file has tables for all.
    if hasMore(source) { step.request.configuration.ignoresModelVersion = true }
    let search = MappingSearch(
      bundles ?? NSManagedObjectModel.searchedBundles, from: source, to: destination)
    if let mapping = search.found {
      return try ReplacingMigration(step.request, from: source, mapping).run()
    }
    let infers =
      (request.options[NSInferMappingModelAutomaticallyOption] as? NSNumber)?.boolValue == true
    // An inferred mapping would lose the values that an unreadable mapping model converts.
    guard infers, !search.hasUnreadable else { throw missingMapping(source, destination, search) }
    if isKept { try requireNoLoss(source, destination) }
    try step.migrateAutomatically(from: source)
  }

  /// Infers a mapping from a model version, and migrates a store that a coordinator is adding.
  ///
  /// - Parameter source: The model version of the store.
  /// - Throws: `CocoaError` 134110 if objects would have no value for a required property, or if
  ///   the migration fails; 134140 if no mapping can be inferred for another reason; 134111 if a
  ///   uniqueness constraint of the new model is violated.
  package func migrateAutomatically(from source: NSManagedObjectModel) throws {
    do {
      try migrate(from: source)
    } catch let error as CocoaError where error.code == .inferredMappingModel {
      throw CocoaError.notMigrated(
        error, from: source, to: request.model.descriptions, path: request.url.path)
    }
  }

  /// Infers a mapping from a model version and migrates the store with this mapping.
  ///
  /// - Parameters:
  ///   - source: The model version of the store.
  ///   - progress: A closure that receives the completed fraction, from 0 to 1, and returns false
  ///     to cancel the migration; nil to report no progress.
  /// - Throws: `CocoaError` with one of the following codes:
  ///   - 134190: No mapping can be inferred, or a store that executes inferred mappings itself has
  ///     objects without a value for a required property.
  ///   - 134111: A uniqueness constraint of the new model is violated.
  ///   - 134110: The source model is invalid, or the migration fails or is canceled.
  ///   - 134120: The migration is canceled while a migration manager copies objects.
  package func migrate(
    from source: NSManagedObjectModel, progress: MigrationProgress? = nil
  ) throws {
    let destination = request.model.descriptions
    guard let operations = request.files.migration else {
      // The new store validates the objects.
      let mapping = try NSMappingModel(migratingFrom: source, to: destination)
      return try ReplacingMigration(request, from: source, mapping).run(progress)
    }
    try LightweightMigration(source, to: request.model).run { (transition) throws(StoreError) in
      var configuration = request.configuration
      // A migration does not create history tables in a file that has none.
      configuration.tracksHistory = false
      try operations.migrate(configuration, transition, nil, progress)
    }
  }

  // MARK: The source model

  /// Returns the model that the store was written with, and whether only the store itself contains
  /// this model.
  ///
  /// - Throws: `CocoaError` 134130 if the model is unknown or damaged; the store's error as a
  ///   `CocoaError` if the store cannot be read.
  package func sourceModel() throws -> (NSManagedObjectModel, isKept: Bool) {
    if let known = request.library.model(fitting: request.metadata) {
      return (try keptModel(insteadOf: known) ?? known, false)
    }
    let kept = try keptModel(isNeeded: true)
    if let kept, kept.entityVersionHashesByName == storedHashes { return (kept, true) }
    throw missingSource(
      "The program does not contain this version of the model, and the store contains no copy of it."
    )
  }

  /// Returns the complete model that the store was written with, and whether only the store itself
  /// contains this version.
  ///
  /// The complete model determines the entity numbers and the version checksum. If the metadata
  /// lists only the entities of a configuration, the method returns the complete model that the
  /// store contains. Otherwise, the result is the same as that of ``sourceModel()``.
  ///
  /// - Throws: The same errors as ``sourceModel()``.
  package func wholeSourceModel() throws -> (NSManagedObjectModel, isKept: Bool) {
    let isKnown = request.library.model(fitting: request.metadata) != nil
    if let kept = try keptModel(isNeeded: !isKnown), hasMore(kept), isWritten(with: kept) {
      return (kept, !isKnown)
    }
    return try sourceModel()
  }

  /// Returns the model that the store contains.
  ///
  /// - Throws: `CocoaError` 134130 if the model is damaged and needed, or the error of the read.
  private func keptModel(isNeeded: Bool) throws -> NSManagedObjectModel? {
    do throws(StoreError) {
      return try request.files.model(StoreConfiguration(url: request.url))
    } catch {
      // A store that is locked may contain the model.
      guard error.code == .corrupt else { throw CocoaError.surfaced(error) }
      guard isNeeded else { return nil }
      throw missingSource("The model cached in the store cannot be read: \(error)")
    }
  }

  /// Returns the model that the store contains if its composite attributes have other names than
  /// those of a version with the same version hashes; otherwise nil.
  private func keptModel(
    insteadOf known: NSManagedObjectModel
  ) throws -> NSManagedObjectModel? {
    guard !known.ambiguousElementPaths.isEmpty, let kept = try keptModel(isNeeded: false),
      kept.entityVersionHashesByName == storedHashes,
      known.entityWithRenamedComposites(in: kept) != nil
    else { return nil }
    return kept
  }

  private var storedHashes: [String: Data] {
    NSManagedObjectModel.versionHashes(in: request.metadata) ?? [:]
  }

  /// Returns whether a model has more entities than the store's metadata lists.
  package func hasMore(_ model: NSManagedObjectModel) -> Bool {
    model.entities.count > storedHashes.count
  }

  private func isWritten(with model: NSManagedObjectModel) -> Bool {
    let hashes = model.entityVersionHashesByName
    let stored = storedHashes
    return !stored.isEmpty && stored.allSatisfy { hashes[$0.key] == $0.value }
  }

  private func missingSource(_ reason: String) -> CocoaError {
    CocoaError.make(
      CocoaError.Code(rawValue: NSMigrationMissingSourceModelError),
      "The store cannot be migrated without the model that it was written with. \(reason) Add this version of the model to the program, or specify it with OpenModelVersionsOption."
        + request.library.unreadableVersions,
      path: request.url.path,
      userInfo: [
        "metadata": request.metadata, "URL": request.url.withoutPasswords,
        "reason": "Can't find model for source store",
      ])
  }

  private func missingMapping(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel, _ search: MappingSearch
  ) -> CocoaError {
    let message =
      search.hasUnreadable
      ? "The program contains a mapping model that cannot be read. Correct the mapping model or remove it.\n\(search.list)"
      : "The program contains no mapping model from the store's version of the model to its own version, and "
        + "\(NSInferMappingModelAutomaticallyOption) is off."
    return CocoaError.make(
      CocoaError.Code(rawValue: NSMigrationMissingMappingModelError), message,
      path: request.url.path,
      userInfo: [
        "sourceModel": source, "destinationModel": destination,
        "reason": "Can't find mapping model for migration", NSUnderlyingErrorKey: search.error,
      ])
  }

  /// Requires that no data is lost if only the store contains its model version, because the
  /// version may be newer than the program.
  private func requireNoLoss(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws {
    let stored = storedHashes
    let losses = ModelLosses(from: source, to: destination).names.filter { name in
      stored[String(name.prefix { $0 != "." })] != nil
    }
    guard !losses.isEmpty else { return }
    throw CocoaError.make(
      CocoaError.Code(rawValue: NSMigrationMissingSourceModelError),
      "The store was written with a version of the model that the program does not contain. The version seems to be newer: "
        + "\(losses.joined(separator: ", ")) would be lost. The store was not changed. Open it with the newer program. If the version "
        + "is older, add it to the program, or specify it with OpenModelVersionsOption."
        + request.library.unreadableVersions,
      path: request.url.path,
      userInfo: [
        "metadata": request.metadata, "URL": request.url.withoutPasswords,
        "reason": "Can't find model for source store",
      ])
  }
}

/// The parts of a source model that have no counterpart in a destination model.
package struct ModelLosses {
  /// The sorted names of entities, of properties (`Entity.property`) and of elements of composite
  /// attributes (`Entity.property.element`); empty if no mapping can be inferred.
  package let names: [String]

  package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
    guard let inference = try? MappingInference(from: source, to: destination) else {
      // The migration itself throws the reasons why no mapping can be inferred.
      names = []
      return
    }
    let properties = inference.mappings.flatMap { mapping -> [String] in
      let entity = mapping.sourceEntityName ?? ""
      if mapping.mappingType == .removeEntityMappingType { return [entity] }
      let removed = mapping.userInfo?["removedProperties"] as? Set<String> ?? []
      return removed.map { "\(entity).\($0)" }
    }
    let values = inference.matches.flatMap { match in
      match.lostValues.map { "\(match.source.name ?? "").\($0)" }
    }
    names = (properties + values).sorted()
  }
}

/// An inferred mapping that a store executes itself, without managed objects.
package struct LightweightMigration {
  private let transition: ModelTransition
  /// The changes that may leave existing rows without a value for a required property.
  private let missingValues: [InferenceProblem]

  /// - Throws: `CocoaError` 134190 if no mapping can be inferred.
  init(_ source: NSManagedObjectModel, to destination: CompiledModel) throws {
    let compiled = try source.usable()
    let inference = try MappingInference.required(
      from: compiled.descriptions, to: destination.descriptions)
    missingValues = inference.missingValues
    transition = ModelTransition(inference, from: compiled, to: destination)
  }

  /// Adds the new tables, columns and indexes of the destination model to a store. Programs with
  /// the source model can continue to use the store.
  ///
  /// - Parameters:
  ///   - request: The store and the destination model.
  ///   - source: The model that the store was written with.
  ///   - operations: The migration operations of the store's type.
  /// - Throws: `CocoaError` 134190 if no mapping can be inferred, or if rows would have no value
  ///   for a required property; 134111 if a uniqueness constraint is violated; 134110 if the source
  ///   model is invalid, if programs with the source model could no longer use the store, or if the
  ///   migration fails.
  package static func expand(
    _ request: StoreMigrationRequest, from source: NSManagedObjectModel,
    _ operations: StoreTypes.MigrationOperations
  ) throws {
    try LightweightMigration(source, to: request.model).run { (transition) throws(StoreError) in
      try operations.migrate(request.configuration, transition, .expand, nil)
    }
  }

  /// Returns the plan of a migration, without changing the store.
  ///
  /// - Parameters:
  ///   - request: The store and its new model.
  ///   - source: The model version of the store.
  ///   - operations: The migration operations of the store's type.
  /// - Throws: `CocoaError` 134190 if no mapping can be inferred, or if objects would have no value
  ///   for a required property; 134110 if the source model is invalid. If the store cannot be read,
  ///   the method throws the store's error.
  package static func plan(
    _ request: StoreMigrationRequest, from source: NSManagedObjectModel,
    _ operations: StoreTypes.MigrationOperations
  ) throws -> StoreMigrationPlan {
    let migration = try LightweightMigration(source, to: request.model)
    do throws(StoreError) {
      return try operations.plan(request.configuration, migration.transition)
    } catch {
      throw migration.missingValueError(error) ?? CocoaError.surfaced(error)
    }
  }

  /// Executes the mapping in a store.
  ///
  /// - Throws: `CocoaError` 134190 if rows have no value for a required property, 134111 if a
  ///   uniqueness constraint of the new model is violated, otherwise 134110. The underlying error
  ///   of 134111 and 134110 is the store's error.
  func run(_ migrate: (ModelTransition) throws(StoreError) -> Void) throws {
    do throws(StoreError) {
      try migrate(transition)
    } catch {
      if let missing = missingValueError(error) { throw missing }
      let isConstraint = error.code == .constraintConflict
      let code = isConstraint ? NSMigrationConstraintViolationError : NSMigrationError
      throw CocoaError.make(
        CocoaError.Code(rawValue: code), "The store cannot be migrated: \(error)",
        path: error.path,
        userInfo: [NSUnderlyingErrorKey: CocoaError.surfaced(error), OpenStoreErrorKey: error])
    }
  }

  /// Returns the error with code 134190 if a store failed because rows have no value for a required
  /// property, otherwise nil.
  private func missingValueError(_ error: StoreError) -> CocoaError? {
    guard let missing = error.underlying as? MissingValues else { return nil }
    let problems = missingValues.filter { problem in
      missing.properties.contains {
        $0.entityName == problem.entityName && $0.propertyName == problem.propertyName
      }
    }
    return CocoaError.notInferred(InferenceError(problems: problems))
  }
}
