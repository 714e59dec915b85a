/// Renders one class with its extensions.
struct ClassRenderer {
  let managedClass: ClassPlan.ManagedClass
  let names: TypeNames
  let form: ModelCodegen.Form

  private var name: String { managedClass.name.quoted }

  /// The declarations of the class, separated by empty lines.
  var text: String {
    let collections = managedClass.collections.map {
      AccessorRenderer(collection: $0, className: name, names: names, form: form).text
    }
    let parts = [classDeclaration, properties] + collections + [identifiable]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The class declaration, which is not isolated, because objects belong to their context's queue
  /// even in modules with main actor isolation.
  private var classDeclaration: String {
    guard managedClass.isDeclared else { return "" }
    let superclass = managedClass.superclass.quoted
    let start = "nonisolated public class \(name): \(superclass)"
    switch form {
    case .macros: return "@ManagedObject(\"\(managedClass.name.text)\")\n\(start) {}\n"
    case .expanded:
      return """
        \(start) {
          public override class var __validatesMore: \(names.text("Bool")) {
            self != \(name).self || \(superclass).__validatesMore
          }
        }

        """
    }
  }

  private var properties: String {
    let declarations = form == .macros ? attributedProperties : expandedProperties
    let requestClass = names.text("NSFetchRequest")
    let request = """
        public class func fetchRequest() -> \(requestClass)<\(name)> {
          \(requestClass)<\(name)>(entityName: "\(managedClass.entityName)")
        }

      """
    return "extension \(name) {\n"
      + ([request] + (declarations.isEmpty ? [] : ["\n"]) + declarations).joined() + "}\n"
  }

  private var attributedProperties: [String] {
    managedClass.properties.map {
      "  \(attribute(of: $0.name)) public var \($0.name.quoted): \($0.type)\n"
    }
  }

  /// The properties with the accessors and keys that the macro would generate.
  private var expandedProperties: [String] {
    let properties = managedClass.properties.map { property in
      """
        public var \(property.name.quoted): \(property.type) {
          get { (\(property.type)).__read(self, Self.__key_\(property.name.text)) }
          set { (\(property.type)).__write(self, Self.__key_\(property.name.text), newValue) }
        }

      """
    }
    let keys = managedClass.properties.map { property in
      "  private nonisolated static let __key_\(property.name.text) = __ManagedKey(\"\(property.name.text)\")\n"
    }
    return properties.isEmpty ? [] : [properties.joined(separator: "\n"), "\n"] + keys
  }

  private var identifiable: String {
    managedClass.isIdentifiable
      ? "extension \(name): \(names.text("Identifiable")) {}\n" : ""
  }

  /// Returns the attribute of a property, with the name if the property would otherwise refer to a
  /// primitive value.
  private func attribute(of name: SwiftName) -> String {
    let rest = name.text.hasPrefix("primitive") ? name.text.dropFirst("primitive".count) : ""
    return rest.first?.isUppercase == true ? "@Managed(\"\(name.text)\")" : "@Managed"
  }
}
