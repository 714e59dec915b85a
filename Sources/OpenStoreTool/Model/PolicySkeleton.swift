import OpenMigration
import OpenObjectModel

/// A generator of the Swift source of migration policies for the changes that prevent inference.
///
/// The source contains one class for each entity, with a method for each property whose value must
/// be computed.
///
/// The source compiles without changes. The programmer must write the code that computes the
/// values.
struct PolicySkeleton {
  let problems: [InferenceProblem]
  /// The destination model.
  let model: NSManagedObjectModel

  /// The contents of the complete file.
  var source: String {
    let entities = Dictionary(grouping: problems, by: \.entityName).sorted { $0.key < $1.key }
    let classes = entities.map { name, problems in text(ofClassFor: name, problems) }
    return "import CoreData\n\n" + classes.joined(separator: "\n")
  }

  private func text(ofClassFor entityName: String, _ problems: [InferenceProblem]) -> String {
    let named = unique(problems.filter { $0.propertyName != nil })
    let attributes = named.filter { !isRelationship($0) }
    let relationships = named.filter(isRelationship)
    let name = Self.identifier(entityName)
    var lines = ["/// Migrates objects of \(entityName) to the new model."]
    if !named.isEmpty {
      lines += [
        "///", "/// Omit these properties from the entity mapping: \(list(named)).",
      ]
    }
    for problem in problems where problem.propertyName == nil {
      lines += ["///", "/// \(problem.change) \(problem.advice)"]
    }
    lines.append("final class \(name)MigrationPolicy: NSEntityMigrationPolicy {")
    var members: [[String]] = []
    if !attributes.isEmpty { members.append(creation(attributes)) }
    if !relationships.isEmpty { members.append(connection(relationships)) }
    members += named.map(valueMethod)
    lines += Array(members.joined(separator: [""]))
    lines.append("}\n")
    return lines.joined(separator: "\n")
  }

  private func creation(_ problems: [InferenceProblem]) -> [String] {
    let head = [
      "  override func createDestinationInstances(",
      "    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager",
      "  ) throws {",
      "    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)",
      "    let created = manager.destinationInstances(",
      "      forEntityMappingName: mapping.name, sourceInstances: [sInstance])",
      "    for object in created {",
    ]
    let lines = problems.map { problem in
      "      object.setValue(try \(method(problem))(of: sInstance), forKey: \(literal(problem)))"
    }
    return head + lines + ["    }", "  }"]
  }

  private func connection(_ problems: [InferenceProblem]) -> [String] {
    let head = [
      "  override func createRelationships(",
      "    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,",
      "    manager: NSMigrationManager",
      "  ) throws {",
      "    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)",
      "    let sources = manager.sourceInstances(",
      "      forEntityMappingName: mapping.name, destinationInstances: [dInstance])",
      "    for source in sources {",
    ]
    let lines = problems.map { problem in
      "      dInstance.setValue(try \(method(problem))(of: source), forKey: \(literal(problem)))"
    }
    return head + lines + ["    }", "  }"]
  }

  private func valueMethod(_ problem: InferenceProblem) -> [String] {
    let hasSource = ![.addedRequiredAttribute, .addedRequiredRelationship].contains(problem.code)
    let isConnected = isRelationship(problem)
    let value =
      hasSource && !isConnected
      ? "source.value(forKey: \"\(Self.escaped(sourceName(problem)))\")" : "nil"
    let hint =
      isConnected
      ? "// Return objects of the destination context."
      : hasSource ? "// Convert the value." : "// Return the value for existing objects."
    return [
      "  /// \(problem.change)",
      "  private func \(method(problem))(of source: NSManagedObject) throws -> Any? {",
      "    \(hint)", "    \(value)", "  }",
    ]
  }

  // MARK: Names

  /// Returns the name of a property in the source model, according to the property's renaming
  /// identifier.
  private func sourceName(_ problem: InferenceProblem) -> String {
    let name = key(problem)
    return model.entitiesByName[problem.entityName]?.propertiesByName[name]?.renamingIdentifier
      ?? name
  }

  /// Returns the name of the property. If the problem concerns an element, the name is that of the
  /// composite attribute.
  private func key(_ problem: InferenceProblem) -> String {
    String((problem.propertyName ?? "").prefix { $0 != "." })
  }

  private func literal(_ problem: InferenceProblem) -> String {
    "\"\(Self.escaped(key(problem)))\""
  }

  private func method(_ problem: InferenceProblem) -> String {
    let name = Self.identifier(key(problem))
    return "new" + name.prefix(1).uppercased() + name.dropFirst()
  }

  private func isRelationship(_ problem: InferenceProblem) -> Bool {
    model.entitiesByName[problem.entityName]?.relationshipsByName[key(problem)] != nil
  }

  private func list(_ problems: [InferenceProblem]) -> String {
    problems.map(key).joined(separator: ", ")
  }

  /// Returns only the first problem of each property.
  private func unique(_ problems: [InferenceProblem]) -> [InferenceProblem] {
    var names: Set<String> = []
    return problems.filter { names.insert(key($0)).inserted }
  }

  private static func identifier(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  private static func escaped(_ name: String) -> String {
    name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
