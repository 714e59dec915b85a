import Foundation
import OpenModelCodegen
import OpenSourceRewriter

/// `opencoredata-codegen model`: the classes of one model.
struct ModelCommand {
  private var model: String
  private var output: String
  private var scope = ModelCodegen.Scope.declared
  private var form = ModelCodegen.Form.macros
  private var sources: [String] = []
  private var context = ModuleContext()

  init(_ arguments: ArraySlice<String>) throws {
    var names: [String] = []
    var output: String?
    var remaining = arguments
    while let argument = remaining.popFirst() {
      switch argument {
      case "--all": scope = .all
      case "--expanded": form = .expanded
      case "--output": output = remaining.popFirst()
      case "--source": sources += try [Self.value(&remaining)]
      case let option where option.hasPrefix("--"):
        guard context.read(option, try Self.value(&remaining)) else { throw UsageError() }
      default: names.append(argument)
      }
    }
    guard let model = names.first, names.count == 1, let output else { throw UsageError() }
    self.model = model
    self.output = output
  }

  private static func value(_ arguments: inout ArraySlice<String>) throws -> String {
    guard let value = arguments.popFirst() else { throw UsageError() }
    return value
  }

  func run() throws { try OutputFile(path: output).write(text()) }

  private func text() throws -> String {
    let url = URL(fileURLWithPath: model)
    // Only macros find added validation methods and properties, so an extended source uses macros.
    if !sources.isEmpty,
      let text = try extended(ModelCodegen.source(ofModelAt: url, scope: scope))
    {
      return text
    }
    return try ModelCodegen.source(ofModelAt: url, scope: scope, form: form)
  }

  /// Returns a source with the members that extensions require; nil if no members are added.
  private func extended(_ source: String) throws -> String? {
    let extensions = try sources.map { SourceText(path: $0, text: try SourceFile.text(of: $0)) }
    return SourceRewriter.extend(
      SourceText(path: model, text: source), by: extensions, besides: context.ownClasses(),
      context: try context.sources(), modules: context.modules)
  }
}
