/// The classes to generate, with resolved names and types. After a plan is created, generating the
/// source cannot fail.
struct ClassPlan {
  /// A class and the contents of its extensions.
  struct ManagedClass {
    let entityName: String
    let name: SwiftName
    let superclass: SwiftName
    /// Whether the class itself is generated, or only its extensions.
    let isDeclared: Bool
    let isIdentifiable: Bool
    let properties: [Property]
    let collections: [Collection]
  }

  /// A property with accessors for a value of the managed object.
  struct Property {
    let name: SwiftName
    let type: String
  }

  /// A to-many relationship, for which methods that change its members are generated.
  struct Collection {
    let name: String
    let member: SwiftName
    let isOrdered: Bool
  }

  let classes: [ManagedClass]
  /// The names of types of Swift and Foundation in the generated source.
  let names: TypeNames

  /// Creates the plan for the classes of a scope.
  ///
  /// - Throws: `CodegenError` for the first entity or property that cannot be represented in Swift.
  init(
    entities: [EntityElement], scope: ModelCodegen.Scope, path: String, module: String
  ) throws(CodegenError) {
    let planner = ClassPlanner(entities: entities, path: path, module: module)
    var classes: [ManagedClass] = []
    for entity in entities.sorted(by: { $0.name < $1.name }) {
      if scope == .declared && entity.codegen == .manual { continue }
      // Without its own class there is nothing to write.
      guard let planned = try planner.managedClass(of: entity) else { continue }
      classes.append(planned)
    }
    try planner.checkDistinct(classes, scope)
    self.classes = classes
    names = planner.names
  }
}
