/// Resolves the names and types of one model's classes.
struct ClassPlanner {
  private let path: String
  private let entities: [String: EntityElement]
  /// The names of types of Swift and Foundation in the generated source.
  let names: TypeNames

  init(entities: [EntityElement], path: String, module: String) {
    self.path = path
    self.entities = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    names = TypeNames(
      hiddenBy: Set(
        entities.compactMap { $0.representedClassName?.split(separator: ".").last.map(String.init) }
      ), module: module)
  }

  /// Returns the class of an entity, or nil if it is `NSManagedObject`.
  func managedClass(of entity: EntityElement) throws(CodegenError) -> ClassPlan.ManagedClass? {
    let name = try className(of: entity)
    if name == .managedObject { return nil }
    if TypeNames.modules.contains(name.text) {
      throw unusable(
        "The class has the same name as a module and would hide the module. Rename the class.",
        entity, line: entity.line)
    }
    guard SwiftName(entity.name) != nil else {
      throw unusable(
        "The entity's name is not a Swift identifier. Rename the entity.", entity, line: entity.line
      )
    }
    let parent = entity.parentName.flatMap { entities[$0] }
    let superclass = try parent.map(className(of:)) ?? .managedObject
    let properties = try properties(of: entity)
    return ClassPlan.ManagedClass(
      entityName: entity.name, name: name, superclass: superclass,
      isDeclared: entity.codegen != .category,
      isIdentifiable: superclass == .managedObject && hasHashableID(entity),
      properties: properties, collections: try collections(of: entity))
  }

  /// Throws an error if two entities have the same class, which would be declared twice.
  func checkDistinct(
    _ classes: [ClassPlan.ManagedClass], _ scope: ModelCodegen.Scope
  ) throws(CodegenError) {
    let advice =
      switch scope {
      case .declared:
        "Give each entity its own class, or set \"Codegen\" to \"Manual/None\" for one of the entities."
      case .all: "Give each entity its own class."
      }
    var seen: Set<String> = []
    for planned in classes where !seen.insert(planned.name.text).inserted {
      throw CodegenError(
        .sharedClass,
        "Another entity also has the class \(planned.name.text). \(advice)",
        entityName: planned.entityName, path: path, line: entities[planned.entityName]?.line)
    }
  }

  // MARK: Names

  /// Returns the class name without its module prefix, which may be only a dot.
  private func className(of entity: EntityElement) throws(CodegenError) -> SwiftName {
    guard let written = entity.representedClassName else { return .managedObject }
    let last = written.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    guard let name = SwiftName(String(last)) else {
      throw unusable(
        "The class name is not a Swift identifier. Correct it in the model editor.", entity,
        line: entity.line)
    }
    if ["Self", "self"].contains(name.text) {
      throw unusable(
        "A Swift class cannot have the name \(name.text). Rename the class.", entity,
        line: entity.line)
    }
    return name
  }

  private func className(
    ofDestination name: String, _ entity: EntityElement, _ property: String, _ line: Int
  ) throws(CodegenError) -> SwiftName {
    guard let destination = entities[name] else {
      throw CodegenError(
        .unreadableModel,
        name.isEmpty
          ? "The property has no destination entity. Choose one in the model editor."
          : "The destination entity \(name) is not in the model.",
        entityName: entity.name, propertyName: property, path: path, line: line)
    }
    return try className(of: destination)
  }

  private func propertyName(
    _ name: String, _ entity: EntityElement, _ line: Int
  ) throws(CodegenError) -> SwiftName {
    guard let usable = SwiftName(name) else {
      throw unusable(
        "The property's name is not a Swift identifier. Rename the property.", entity,
        property: name,
        line: line
      )
    }
    if name == "Self" {
      throw unusable(
        "A Swift property cannot have the name Self. Rename the property.", entity, property: name,
        line: line)
    }
    if SwiftName.membersOfManagedObject.contains(name) {
      throw unusable(
        "NSManagedObject has a member with this name. Rename the property.", entity, property: name,
        line: line)
    }
    return usable
  }

  private func unusable(
    _ message: String, _ entity: EntityElement, property: String? = nil, line: Int
  ) -> CodegenError {
    CodegenError(
      .unusableName, message, entityName: entity.name, propertyName: property, path: path,
      line: line)
  }

  // MARK: Properties

  /// Returns the attributes, then the relationships, then the fetched properties, each sorted by
  /// name.
  private func properties(
    of entity: EntityElement
  ) throws(CodegenError) -> [ClassPlan.Property] {
    var properties: [ClassPlan.Property] = []
    var seen: Set<String> = []
    let inherited = try inheritedNames(of: entity)
    func add(_ name: String, _ line: Int, _ type: String) throws(CodegenError) {
      guard seen.insert(name).inserted else {
        throw CodegenError(
          .clashingNames, "The entity has two properties with this name. Rename one of them.",
          entityName: entity.name, propertyName: name, path: path, line: line)
      }
      if let ancestor = inherited[name] {
        throw CodegenError(
          .clashingNames,
          "The entity inherits a property with this name from the entity \(ancestor). Rename or remove one of them.",
          entityName: entity.name, propertyName: name, path: path, line: line)
      }
      let name = try propertyName(name, entity, line)
      properties.append(ClassPlan.Property(name: name, type: type))
    }
    for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) {
      try add(attribute.name, attribute.line, try type(of: attribute, entity))
    }
    for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
      try add(relationship.name, relationship.line, try type(of: relationship, entity))
    }
    for fetched in entity.fetchedProperties.sorted(by: { $0.name < $1.name }) {
      let destination = try className(
        ofDestination: fetched.destinationName, entity, fetched.name, fetched.line)
      try add(fetched.name, fetched.line, "[\(destination.quoted)]?")
    }
    return properties
  }

  /// Returns the names of the entities whose classes declare inherited properties, by the names of
  /// the properties.
  private func inheritedNames(
    of entity: EntityElement
  ) throws(CodegenError) -> [String: String] {
    var names: [String: String] = [:]
    var parent = entity.parentName.flatMap { entities[$0] }
    while let ancestor = parent, try className(of: ancestor) != .managedObject {
      for name in ancestor.propertyNames { names[name] = ancestor.name }
      parent = ancestor.parentName.flatMap { entities[$0] }
    }
    return names
  }

  private func type(
    of attribute: AttributeElement, _ entity: EntityElement
  ) throws(CodegenError) -> String {
    guard let type = AttributeSwiftType.text(for: attribute, names) else {
      throw unusable(
        "The custom class of the attribute is not a Swift type. Correct it in the model editor.",
        entity, property: attribute.name, line: attribute.line)
    }
    return type
  }

  private func type(
    of relationship: RelationshipElement, _ entity: EntityElement
  ) throws(CodegenError) -> String {
    switch relationship.form {
    case .toMany: return names.text("NSSet") + "?"
    case .ordered: return names.text("NSOrderedSet") + "?"
    case .toOne:
      let destination = try className(
        ofDestination: relationship.destinationName, entity, relationship.name, relationship.line)
      return "\(destination.quoted)?"
    }
  }

  private func collections(
    of entity: EntityElement
  ) throws(CodegenError) -> [ClassPlan.Collection] {
    var collections: [ClassPlan.Collection] = []
    var seen: Set<String> = []
    for relationship in entity.relationships.sorted(by: { $0.name < $1.name })
    where relationship.form != .toOne {
      guard seen.insert(relationship.name.capitalizedFirst).inserted else {
        throw CodegenError(
          .clashingNames,
          "The accessors of two relationships would have the same names. Rename one of the relationships.",
          entityName: entity.name, propertyName: relationship.name, path: path,
          line: relationship.line)
      }
      let member = try className(
        ofDestination: relationship.destinationName, entity, relationship.name, relationship.line)
      collections.append(
        ClassPlan.Collection(
          name: relationship.name, member: member, isOrdered: relationship.form == .ordered))
    }
    return collections
  }

  /// Returns whether an attribute named `id`, which `Identifiable` would use, has hashable values.
  private func hasHashableID(_ entity: EntityElement) -> Bool {
    !entity.attributes.contains { $0.name == "id" && $0.type == "Composite" }
  }
}
