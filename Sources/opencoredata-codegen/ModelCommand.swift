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
  private var modules: Set<String> = []

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
      case "--module": modules.insert(try Self.value(&remaining))
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

  func run() throws {
    let source = try ModelCodegen.source(
      ofModelAt: URL(fileURLWithPath: model), scope: scope, form: form)
    let extensions = try sources.map { SourceText(path: $0, text: try SourceFile.text(of: $0)) }
    let text = SourceRewriter.extend(
      SourceText(path: model, text: source), by: extensions, modules: modules)
    try OutputFile(path: output).write(text)
  }
}
