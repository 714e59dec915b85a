internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// Migrates all objects: first the objects, then their relationships, then their validation.
struct MigrationRun {
  /// A mapping and its policy.
  private struct Step {
    var mapping: NSEntityMapping
    var policy: NSEntityMigrationPolicy
  }

  private let manager: NSMigrationManager
  private let steps: [Step]
  /// The number of processed objects, which are counted once for each of the two stages with
  /// objects.
  private var done = 0
  private var total = 0

  init(_ manager: NSMigrationManager) throws {
    self.manager = manager
    steps = try (manager.mappingModel.entityMappings ?? []).map {
      Step(mapping: $0, policy: try Self.policyType(of: $0).init())
    }
  }

  mutating func run() throws {
    total = try steps.reduce(0) { try $0 + 2 * count($1.mapping) }
    for step in steps { try createInstances(step) }
    for step in steps { try createRelationships(step) }
    for step in steps {
      try begin(step)
      try step.policy.performCustomValidation(forMapping: step.mapping, manager: manager)
      try step.policy.end(step.mapping, manager: manager)
    }
    try manager.checkCancellation()
  }

  private func begin(_ step: Step) throws {
    try manager.checkCancellation()
    manager.currentEntityMapping = step.mapping
  }

  private mutating func createInstances(_ step: Step) throws {
    try begin(step)
    try step.policy.begin(step.mapping, with: manager)
    let sources = try sources(of: step)
    for source in sources {
      try manager.checkCancellation()
      try step.policy.createDestinationInstances(
        forSource: source, in: step.mapping, manager: manager)
      advance()
    }
    try step.policy.endInstanceCreation(forMapping: step.mapping, manager: manager)
  }

  private mutating func createRelationships(_ step: Step) throws {
    try begin(step)
    let destinations = manager.destinationInstances(
      forEntityMappingName: step.mapping.name, sourceInstances: nil)
    for destination in destinations {
      try manager.checkCancellation()
      try step.policy.createRelationships(
        forDestination: destination, in: step.mapping, manager: manager)
      advance()
    }
    try step.policy.endRelationshipCreation(forMapping: step.mapping, manager: manager)
  }

  /// Increases the progress, which stays below 1 until the objects are saved.
  private mutating func advance() {
    done += 1
    manager.migrationProgress = Float(done) / Float(max(total, done) + 1)
  }

  // MARK: Sources

  /// Returns whether a mapping migrates objects.
  private static func hasSources(_ mapping: NSEntityMapping) -> Bool {
    (mapping.sourceEntityName != nil || mapping.sourceExpression != nil)
      && mapping.mappingType != .removeEntityMappingType
      && mapping.mappingType != .addEntityMappingType
  }

  private func count(_ mapping: NSEntityMapping) throws -> Int {
    guard Self.hasSources(mapping), let request = request(mapping) else { return 0 }
    return try manager.sourceContext.count(for: request)
  }

  private func sources(of step: Step) throws -> [NSManagedObject] {
    guard Self.hasSources(step.mapping) else { return [] }
    if let expression = step.mapping.sourceExpression {
      var evaluation = MappingEvaluation(
        manager: manager, mapping: step.mapping, policy: step.policy)
      return try evaluation.sources(of: expression)
    }
    return try request(step.mapping).map { try manager.sourceContext.fetch($0) } ?? []
  }

  /// Returns a request for all objects of a mapping's source entity, without subentities.
  private func request(_ mapping: NSEntityMapping) -> NSFetchRequest<NSManagedObject>? {
    guard let entity = manager.sourceEntity(for: mapping) else { return nil }
    let request = NSFetchRequest<NSManagedObject>()
    request.entity = entity
    request.includesSubentities = false
    return request
  }

  // MARK: Policies

  fileprivate static func policyType(
    of mapping: NSEntityMapping
  ) throws -> NSEntityMigrationPolicy.Type {
    guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else {
      return NSEntityMigrationPolicy.self
    }
    let found = PolicyClasses.named(name)
    guard let type = found.first, found.count == 1 else {
      let problem =
        found.isEmpty
        ? "does not exist or is not a subclass of NSEntityMigrationPolicy"
        : "exists in several modules. Specify the module in the mapping"
      throw CocoaError.make(
        CocoaError.Code(rawValue: NSEntityMigrationPolicyError),
        "The class \(name) of the mapping \(mapping.name ?? "") \(problem).")
    }
    return type
  }
}

extension NSMappingModel {
  /// Checks that the program contains the policy classes of all mappings.
  ///
  /// - Throws: `CocoaError` 134170 with the name of the class that is missing or ambiguous.
  package func requirePolicies() throws {
    for mapping in entityMappings ?? [] { _ = try MigrationRun.policyType(of: mapping) }
  }
}

/// Finds the classes of entity migration policies by name.
enum PolicyClasses {
  /// Returns all policies with the given name. If the program does not contain the module in the
  /// name, the rest of the name is used.
  static func named(_ name: String) -> [NSEntityMigrationPolicy.Type] {
    let found = exactly(name)
    guard found.isEmpty, let last = name.split(separator: ".").last, last.count < name.count else {
      return found
    }
    return exactly(String(last))
  }

  private static func exactly(_ name: String) -> [NSEntityMigrationPolicy.Type] {
    if name == "NSEntityMigrationPolicy" { return [NSEntityMigrationPolicy.self] }
    let found = TypeRecords.classes(named: name).compactMap { $0 as? NSEntityMigrationPolicy.Type }
    let exact = found.filter { String(reflecting: $0) == name }
    return exact.isEmpty ? found : exact
  }
}
