import Foundation
import OpenModelCodegen

/// `opencoredata-codegen model`: the classes of one model.
struct ModelCommand {
  private var model: String
  private var output: String
  private var scope = ModelCodegen.Scope.declared

  init(_ arguments: ArraySlice<String>) throws {
    var names: [String] = []
    var output: String?
    var remaining = arguments
    while let argument = remaining.popFirst() {
      switch argument {
      case "--all": scope = .all
      case "--output": output = remaining.popFirst()
      default: names.append(argument)
      }
    }
    guard let model = names.first, names.count == 1, let output else { throw UsageError() }
    self.model = model
    self.output = output
  }

  func run() throws {
    let source = try ModelCodegen.source(ofModelAt: URL(fileURLWithPath: model), scope: scope)
    try OutputFile(path: output).write(source)
  }
}
