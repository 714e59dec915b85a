/// The classes to write, with every name and type settled; everything wrong with a model is found here.
struct ClassPlan {
  /// One class and what its extensions hold.
  struct ManagedClass {
    let entityName: String
    let name: SwiftName
    let superclass: SwiftName
    /// Whether the class itself is written, or only its extensions.
    let isDeclared: Bool
    let isIdentifiable: Bool
    let properties: [Property]
    let collections: [Collection]
  }

  /// A property with accessors that the context supplies.
  struct Property {
    let name: SwiftName
    let type: String
  }

  /// A to-many relationship, which gets methods that change its members.
  struct Collection {
    let name: String
    let member: SwiftName
    let isOrdered: Bool
  }

  let classes: [ManagedClass]
  /// How the types of Swift and Foundation are written beside these classes.
  let names: TypeNames

  /// Settles the classes of a scope.
  ///
  /// - Throws: `CodegenError` for the first entity or property that cannot be written in Swift.
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
    try planner.checkDistinct(classes)
    self.classes = classes
    names = planner.names
  }
}
