import Foundation
import OpenSourceRewriter

/// `opencoredata-codegen rewrite`: the sources of one module.
struct RewriteCommand {
  private struct Job {
    let input: String
    let output: String
  }

  private var jobs: [Job] = []

  init(_ arguments: ArraySlice<String>) throws {
    var remaining = arguments
    while let input = remaining.popFirst() {
      guard remaining.popFirst() == "--output", let output = remaining.popFirst() else {
        throw UsageError()
      }
      jobs.append(Job(input: input, output: output))
    }
    guard !jobs.isEmpty else { throw UsageError() }
  }

  func run() throws {
    let sources = try jobs.map { SourceText(path: $0.input, text: try text(of: $0.input)) }
    for (job, text) in zip(jobs, try SourceRewriter.rewrite(sources)) {
      try OutputFile(path: job.output).write(text)
    }
  }

  private func text(of path: String) throws -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw FileError(path: path, message: "cannot be read: \(error.localizedDescription)")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw FileError(path: path, message: "is not UTF-8 text; convert it")
    }
    return text
  }
}
