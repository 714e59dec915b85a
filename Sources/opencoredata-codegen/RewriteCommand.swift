import Foundation
import OpenModelCodegen
import OpenSourceRewriter

/// `opencoredata-codegen rewrite`: the sources of one module.
struct RewriteCommand {
  private struct Job {
    let input: String
    let output: String
  }

  private var jobs: [Job] = []
  private var context: [String] = []
  private var models: [(path: String, scope: ModelCodegen.Scope)] = []
  /// Those of the module itself.
  private var ownModels: [(path: String, scope: ModelCodegen.Scope)] = []
  private var modules: Set<String> = []

  init(_ arguments: ArraySlice<String>) throws {
    var remaining = arguments
    while let argument = remaining.popFirst() {
      guard let value = remaining.popFirst() else { throw UsageError() }
      switch argument {
      case "--context": context.append(value)
      case "--model": models.append((value, .declared))
      case "--whole-model": models.append((value, .all))
      case "--own-model": ownModels.append((value, .declared))
      case "--own-whole-model": ownModels.append((value, .all))
      case "--module": modules.insert(value)
      default:
        guard value == "--output", let output = remaining.popFirst() else { throw UsageError() }
        jobs.append(Job(input: argument, output: output))
      }
    }
    guard !jobs.isEmpty else { throw UsageError() }
  }

  func run() throws {
    let sources = try jobs.map {
      SourceText(path: $0.input, text: try SourceFile.text(of: $0.input))
    }
    let context = try context.map { SourceText(path: $0, text: try SourceFile.text(of: $0)) }
    let texts = try SourceRewriter.rewrite(
      sources, generated: classes(of: ownModels), context: context + classes(of: models),
      modules: modules)
    for (job, text) in zip(jobs, texts) {
      try OutputFile(path: job.output).write(text)
    }
  }

  /// The classes that are written of models, which sources may inherit from.
  private func classes(of models: [(path: String, scope: ModelCodegen.Scope)]) -> [SourceText] {
    models.compactMap { model in
      // What is wrong with a model is reported by the command that writes its classes.
      let text = try? ModelCodegen.source(
        ofModelAt: URL(fileURLWithPath: model.path), scope: model.scope)
      return text.map { SourceText(path: model.path, text: $0) }
    }
  }
}
