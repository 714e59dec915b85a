import SwiftSyntax
import SwiftSyntaxBuilder

/// The list of key paths that `@ReadableByKey` gives a type.
///
/// A key path of a subclass starts at the subclass, so that the list of a class is made for the class that is asked.
struct KeyPathList {
  private let type: ReadableType
  private let list = "[OpenPredicates.__NamedKeyPath]"

  init(of type: ReadableType) { self.type = type }

  /// The methods; none for a managed class, whose model has the names, and for a subclass that adds nothing to its superclass.
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
