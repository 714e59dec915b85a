import Foundation
import OpenModelCodegen

/// `opencoredata-codegen compile`: the compiled form of one model.
struct CompileCommand {
  private let model: String
  private let output: String

  init(_ arguments: ArraySlice<String>) throws {
    var names: [String] = []
    var output: String?
    var remaining = arguments
    while let argument = remaining.popFirst() {
      if argument == "--output" { output = remaining.popFirst() } else { names.append(argument) }
    }
    guard let model = names.first, names.count == 1, let output else { throw UsageError() }
    self.model = model
    self.output = output
  }

  func run() throws {
    let warnings = try ModelResource.write(
      modelAt: URL(fileURLWithPath: model), to: URL(fileURLWithPath: output))
    for warning in warnings { FileHandle.standardError.write(Data((warning + "\n").utf8)) }
  }
}
