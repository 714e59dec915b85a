internal import Foundation
internal import OpenMigration
internal import OpenObjectModel
internal import OpenStoreContract

/// The versions of a model, and the steps between them.
///
/// The type finds the fewest steps between two versions that have the same result as migrating
/// version by version. Versions are identified by their indexes. A step uses a mapping model or an
/// inferred mapping. An inferred mapping skips versions only if no mapping model connects two of
/// the skipped versions, and if the result is the same as that of inferred mappings between all
/// consecutive versions.
struct VersionChain {
  /// A step from one version to another.
  struct Step {
    var source: Int
    var destination: Int
    /// The mapping model, or nil for an inferred mapping.
    var mapping: NSMappingModel?
  }

  private let versions: [NSManagedObjectModel]
  private let bundled: BundledMappings
  /// The mapping models, by the indexes of their source and destination versions.
  private var mapped: [Int: [Int: NSMappingModel]] = [:]

  /// - Parameters:
  ///   - versions: The versions, the oldest first.
  ///   - mappings: The mapping models, which take precedence over those in bundles.
  ///   - bundled: The mapping models in bundles.
  init(
    _ versions: [NSManagedObjectModel], _ mappings: [NSMappingModel], _ bundled: BundledMappings
  ) {
    self.versions = versions
    self.bundled = bundled
    for mapping in mappings + bundled.models { add(mapping) }
  }

  private mutating func add(_ mapping: NSMappingModel) {
    for source in versions.indices {
      let later = versions.indices.filter { $0 > source }
      for destination in later where mapped[source]?[destination] == nil {
        guard mapping.isMapping(from: versions[source], to: versions[destination]) else { continue }
        mapped[source, default: [:]][destination] = mapping
      }
    }
  }

  /// Returns the index of the version that a store was written with.
  ///
  /// Version hashes do not contain the names of composite attributes. If several versions have the
  /// store's version hashes, the method compares these names with those in the model that the store
  /// contains.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the store.
  ///   - kept: Returns the model that the store contains; nil if there is none.
  /// - Returns: The index of the last version that matches; nil if no version has the store's
  ///   version hashes.
  /// - Throws: Any error that `kept` throws.
  func position(
    of metadata: [String: Any], _ kept: () throws -> NSManagedObjectModel?
  ) rethrows -> Int? {
    let fitting = versions.indices.filter {
      versions[$0].isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
    guard let last = fitting.last, fitting.count > 1,
      !versions[last].ambiguousElementPaths.isEmpty, let model = try kept()
    else { return fitting.last }
    return fitting.last { versions[$0].entityWithRenamedComposites(in: model) == nil } ?? last
  }

  /// Returns the steps from a version to a later version.
  ///
  /// - Throws: `CocoaError` 134190 if two consecutive versions have neither a mapping model nor an
  ///   inferred mapping, 134140 if a step has no mapping model and a mapping model in the bundles
  ///   cannot be read.
  func steps(from source: Int, to destination: Int) throws -> [Step] {
    var paths: [Int: [Step]] = [source: []]
    var reached = [source]
    while paths[destination] == nil, !reached.isEmpty {
      var next: [Int] = []
      for version in reached.sorted(by: >) {
        for step in nextSteps(from: version, upTo: destination)
        where paths[step.destination] == nil {
          paths[step.destination] = (paths[version] ?? []) + [step]
          next.append(step.destination)
        }
      }
      reached = next
    }
    let steps = paths[destination]
    if steps?.allSatisfy({ $0.mapping != nil }) != true { try bundled.requireReadable() }
    if let steps { return steps }
    throw missingStep(paths.keys.max() ?? source)
  }

  /// Returns the possible next steps from a version: steps with mapping models, and steps with
  /// inferred mappings to all versions that an inferred mapping can reach.
  private func nextSteps(from source: Int, upTo end: Int) -> [Step] {
    let models = (mapped[source] ?? [:]).filter { $0.key <= end }
      .sorted { $0.key < $1.key }
      .map { Step(source: source, destination: $0.key, mapping: $0.value) }
    return models
      + inferredReach(from: source, upTo: end).map {
        Step(source: source, destination: $0, mapping: nil)
      }
  }

  private func inferredReach(from source: Int, upTo end: Int) -> [Int] {
    var reach: [Int] = []
    var all: ModelTransition?
    for next in (source + 1)..<max(source + 1, end + 1) {
      // A mapping model determines how objects are migrated, so an inferred mapping must not skip
      // it.
      let crossed = (source..<next).contains { start in
        mapped[start]?.keys.contains { $0 <= next } == true
      }
      if crossed { break }
      guard let one = transition(next - 1, next) else { break }
      guard let past = all else {
        all = one
        reach.append(next)
        continue
      }
      let composed = past.followed(by: one)
      all = composed.transition
      guard composed.isFaithful, let direct = transition(source, next),
        direct.bringsOver(theSameAs: composed.transition)
      else { break }
      reach.append(next)
    }
    return reach
  }

  /// Returns the inferred transition between two versions, or nil if there is none.
  private func transition(_ source: Int, _ destination: Int) -> ModelTransition? {
    guard let old = try? versions[source].compiled(),
      let new = try? versions[destination].compiled()
    else { return nil }
    return try? ModelTransition.ofMigration(from: old, to: new)
  }

  /// Returns the error that explains why there is no step from a version to the next version.
  private func missingStep(_ version: Int) -> any Error {
    guard version + 1 < versions.count else {
      return CocoaError.migration("The last version of the model precedes the target version.")
    }
    do {
      _ = try NSMappingModel.inferredMappingModel(
        forSourceModel: versions[version], destinationModel: versions[version + 1])
    } catch {
      return error
    }
    return CocoaError.migration("There is no migration path to the target version.")
  }
}
