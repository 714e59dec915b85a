import OpenSourceRewriter

/// `opencoredata-codegen rewrite`: the sources of one module.
struct RewriteCommand {
  private struct Job {
    let input: String
    let output: String
  }

  private var jobs: [Job] = []
  private var context = ModuleContext()

  init(_ arguments: ArraySlice<String>) throws {
    var remaining = arguments
    while let argument = remaining.popFirst() {
      guard let value = remaining.popFirst() else { throw UsageError() }
      if context.read(argument, value) { continue }
      guard value == "--output", let output = remaining.popFirst() else { throw UsageError() }
      jobs.append(Job(input: argument, output: output))
    }
    guard !jobs.isEmpty else { throw UsageError() }
  }

  func run() throws {
    let sources = try jobs.map {
      SourceText(path: $0.input, text: try SourceFile.text(of: $0.input))
    }
    let texts = try SourceRewriter.rewrite(
      sources, generated: context.ownClasses(), context: try context.sources(),
      modules: context.modules)
    for (job, text) in zip(jobs, texts) {
      try OutputFile(path: job.output).write(text)
    }
  }
}
