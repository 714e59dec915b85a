import SwiftSyntax
import SwiftSyntaxBuilder

/// The list of key paths that `@ReadableByKey` generates for a type.
///
/// A key path of a subclass starts at the subclass, so the generated method creates the list for
/// the class on which it is called.
struct KeyPathList {
  private let type: ReadableType
  private let list = "[OpenPredicates.__NamedKeyPath]"

  init(of type: ReadableType) { self.type = type }

  /// The generated methods. The array is empty for a managed object class, whose model contains the
  /// names, and for a subclass that does not add readable properties.
  var methods: [DeclSyntax] {
    guard let overrides = type.overridesList, !(overrides && type.properties.isEmpty) else {
      return []
    }
    let inherited = overrides ? "super.__keyPaths()" : "[]"
    if type.properties.isEmpty { return [method("return []")] }
    guard type.kind == .openClass else { return [method(body(inherited, root: type.name.text))] }
    return [
      method("return __keyPaths(ofType: Self.self)" + (overrides ? " + \(inherited)" : "")),
      """
      private \(raw: isolation)static func __keyPaths<Root: \(type.name)>(ofType type: Root.Type) -> \(raw: list) {
        \(raw: body("[]", root: "Root"))
      }
      """,
    ]
  }

  private var isolation: String { type.isIsolated ? "nonisolated " : "" }

  private func method(_ body: String) -> DeclSyntax {
    let keywords =
      type.overridesList == true ? "override class" : type.kind == .openClass ? "class" : "static"
    return """
      \(raw: isolation + type.access)\(raw: keywords) func __keyPaths() -> \(raw: list) {
        \(raw: body)
      }
      """
  }

  private func body(_ inherited: String, root: String) -> String {
    let entries = type.properties.map { property in
      let (key, name) = (property.name.plainName, property.name.text)
      return directive(
        property.condition,
        around: #"paths.append(.init("\#(key)", \\#(root).\#(name), \\#(root)?.?.\#(name)))"#)
    }
    return (["var paths: \(list) = \(inherited)"] + entries + ["return paths"])
      .joined(separator: "\n  ")
  }
}
