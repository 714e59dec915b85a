/// Writes one class with its extensions.
struct ClassRenderer {
  let managedClass: ClassPlan.ManagedClass
  let names: TypeNames

  private var name: String { managedClass.name.quoted }

  /// The declarations of the class, each followed by an empty line but the last.
  var text: String {
    let collections = managedClass.collections.map {
      AccessorRenderer(collection: $0, className: name, names: names).text
    }
    let parts = [classDeclaration, properties] + collections + [identifiable]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Not isolated, because objects belong to their context's queue also in modules that are the main actor's.
  private var classDeclaration: String {
    guard managedClass.isDeclared else { return "" }
    return """
      @ManagedObject("\(managedClass.name.text)")
      nonisolated public class \(name): \(managedClass.superclass.quoted) {}

      """
  }

  private var properties: String {
    let declarations = managedClass.properties.map {
      "  \(attribute(of: $0.name)) public var \($0.name.quoted): \($0.type)\n"
    }
    let requestClass = names.text("NSFetchRequest")
    let request = """
        public class func fetchRequest() -> \(requestClass)<\(name)> {
          \(requestClass)<\(name)>(entityName: "\(managedClass.entityName)")
        }

      """
    return "extension \(name) {\n"
      + ([request] + (declarations.isEmpty ? [] : ["\n"]) + declarations).joined() + "}\n"
  }

  private var identifiable: String {
    managedClass.isIdentifiable
      ? "extension \(name): \(names.text("Identifiable")) {}\n" : ""
  }

  /// The attribute of a property, with the name where it would mean another property's primitive value.
  private func attribute(of name: SwiftName) -> String {
    let rest = name.text.hasPrefix("primitive") ? name.text.dropFirst("primitive".count) : ""
    return rest.first?.isUppercase == true ? "@Managed(\"\(name.text)\")" : "@Managed"
  }
}
