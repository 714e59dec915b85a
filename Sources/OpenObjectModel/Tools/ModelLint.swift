internal import Foundation

/// Finds errors in a model, and definitions that are easily misunderstood.
///
/// All rules are based on documented behavior. Checking a model neither changes nor freezes the
/// model.
///
/// This is an addition to Apple's API.
public struct ModelLint {
  private var findings: [ModelFinding] = []

  private init() {}

  /// Returns all findings in a model; empty if there are none.
  ///
  /// Findings are sorted by entity and property name, and then by severity, most severe first.
  ///
  /// - Parameter model: The model, which may be invalid.
  public static func findings(in model: NSManagedObjectModel) -> [ModelFinding] {
    var lint = ModelLint()
    lint.checkUse(of: model)
    lint.checkNames(model.entities.map { ($0.name ?? "", $0.name, nil) })
    for entity in model.entities { lint.check(entity) }
    return lint.findings.sorted(by: precedes)
  }

  private static func precedes(_ one: ModelFinding, _ other: ModelFinding) -> Bool {
    let keys = [one, other].map { ($0.entityName ?? "", $0.propertyName ?? "") }
    if keys[0] != keys[1] { return keys[0] < keys[1] }
    if one.severity != other.severity { return one.severity > other.severity }
    return (one.code.rawValue, one.message) < (other.code.rawValue, other.message)
  }

  mutating func add(
    _ code: ModelFinding.Code, _ severity: ModelFinding.Severity, _ entityName: String?,
    _ propertyName: String?, _ message: String, _ advice: String
  ) {
    findings.append(
      ModelFinding(
        code: code, severity: severity, entityName: entityName, propertyName: propertyName,
        message: message, advice: advice))
  }

  // MARK: The model

  private mutating func checkUse(of model: NSManagedObjectModel) {
    do {
      try ModelCheck(model.entities).run()
    } catch {
      add(
        .unusable, .error, error.entityName, error.propertyName, error.message,
        "The model cannot be used until this error is corrected.")
    }
  }

  private mutating func checkNames(
    _ names: [(text: String, entityName: String?, propertyName: String?)]
  ) {
    let groups = Dictionary(grouping: names) { $0.text.lowercased() }
    for group in groups.values where Set(group.map(\.text)).count > 1 {
      let others = Set(group.map(\.text)).sorted().joined(separator: ", ")
      for name in group {
        add(
          .namesDifferInCase, .warning, name.entityName, name.propertyName,
          "The names \(others) differ only in case, but the names of tables and columns are case-insensitive.",
          "Choose names that differ in more than case.")
      }
    }
  }

  // MARK: Entities

  private mutating func check(_ entity: NSEntityDescription) {
    if entity.isAbstract, !hasConcreteDescendant(entity) {
      add(
        .emptyAbstract, .warning, entity.name, nil,
        "The entity is abstract and has no concrete descendants, so it cannot have objects.",
        "Add a concrete subentity, or make the entity concrete.")
    }
    checkNames(entity.properties.map { ($0.name, entity.name, $0.name) })
    for property in entity.ownProperties {
      checkName(of: property, entity)
      if let attribute = property as? NSAttributeDescription { check(attribute, entity) }
      if let relationship = property as? NSRelationshipDescription {
        checkInverse(of: relationship, entity)
        checkCounts(of: relationship, entity)
      }
    }
    checkConstraints(of: entity)
  }

  private func hasConcreteDescendant(_ entity: NSEntityDescription) -> Bool {
    var open = entity.subentities
    var seen: Set<ObjectIdentifier> = []
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      if !next.isAbstract { return true }
      open += next.subentities
    }
    return false
  }

  private mutating func checkConstraints(of entity: NSEntityDescription) {
    let properties = entity.propertiesByName
    for name in Set(entity.constraintNames.joined()).sorted() {
      guard let property = properties[name] else { continue }
      let attribute = property as? NSAttributeDescription
      guard attribute == nil || property.isTransient else { continue }
      add(
        .constraintOnOther, .error, entity.name, name,
        "A uniqueness constraint contains \(attribute == nil ? "a property that is not an attribute" : "a transient attribute").",
        "Use only stored attributes in uniqueness constraints, such as an identifier of the destination."
      )
    }
  }

  // MARK: Properties

  /// The names of the members of every managed object, which an accessor with the same name would
  /// hide.
  private static let reservedNames: Set<String> = [
    "class", "className", "customMirror", "debugDescription", "description", "entity",
    "faultingState", "hasChanges", "hasPersistentChangedValues", "hash", "isDeleted", "isFault",
    "isInserted", "isUpdated", "managedObjectContext", "objectID", "objectReference", "self",
    "superclass",
  ]

  private mutating func checkName(
    of property: NSPropertyDescription, _ entity: NSEntityDescription
  ) {
    guard Self.reservedNames.contains(property.name) else { return }
    add(
      .reservedName, .error, entity.name, property.name,
      "NSManagedObject has a member with this name.",
      "Rename the property, and set its renaming identifier to keep stored values.")
  }

  private mutating func check(
    _ attribute: NSAttributeDescription, _ entity: NSEntityDescription
  ) {
    checkTransformer(of: attribute, entity)
    let isComputed =
      attribute is NSDerivedAttributeDescription || attribute is NSCompositeAttributeDescription
    let isNumber =
      [.integer16, .integer32, .integer64, .decimal, .double, .float, .boolean]
      .contains(attribute.type)
    if isNumber, !attribute.isOptional, !attribute.isTransient, !isComputed,
      attribute.defaultValue == nil
    {
      add(
        .missingDefault, .advice, entity.name, attribute.name,
        "The numeric attribute is required and has no default value, so a new object cannot be saved until the attribute is set.",
        "Set a default value, unless saving an object without a value is meant to be an error.")
    }
    if let text = attribute.looseDefaultText, let value = attribute.defaultValue {
      add(
        .looseDefault, .warning, entity.name, attribute.name,
        "The default value \"\(text)\" does not have the usual format of the attribute's type. It is interpreted as \(value).",
        "Enter the default value in the usual format in the model editor.")
    }
    if let value = attribute.defaultValue, !(value is NSNull),
      attribute.compiledValidations.contains(where: { !$0.accepts(value) })
    {
      add(
        .refusedDefault, .warning, entity.name, attribute.name,
        "The default value does not satisfy the attribute's validation conditions.",
        "Correct the default value or the conditions.")
    }
  }

  private static let insecureTransformers: Set<String> = [
    "NSKeyedUnarchiveFromData", "NSUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
    "NSUnarchiveFromDataTransformerName",
  ]

  private mutating func checkTransformer(
    of attribute: NSAttributeDescription, _ entity: NSEntityDescription
  ) {
    guard attribute.type == .transformable, !attribute.isTransient else { return }
    let name = attribute.valueTransformerName ?? ""
    guard name.isEmpty || Self.insecureTransformers.contains(name) else { return }
    add(
      .insecureTransformer, .warning, entity.name, attribute.name,
      "Values are unarchived without checking which classes their archives contain.",
      "Set a secure transformer, such as NSSecureUnarchiveFromDataTransformer or a transformer of your own."
    )
  }
}
