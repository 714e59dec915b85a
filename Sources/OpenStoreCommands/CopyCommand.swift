import ArgumentParser
import OpenStoreTool

/// The command that copies a store to a file or a server.
struct Copy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy a store to a new file or server, and compare both.",
    discussion: """
      The copy has the same keys, versions, links and orders, so the URIs of objects stay valid. The history is not copied. No other \
      program may write to the source during the copy. The exit status is 1 if the copy differs, as decimals with more than 15 digits \
      do in files.
      """)

  @Argument(help: "The store's file, or its URL.", completion: .file())
  var store: String

  @Argument(help: "The file or URL of the copy, where no store exists yet.", completion: .file())
  var copy: String

  @Option(help: "A model to read the store by: .mom, .momd, .xcdatamodeld, or another store.")
  var model: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let bar = ProgressBar()
    defer { bar.clear() }
    let results = try StoreCopying(from: store, to: copy, modelPath: model) { bar.show($0) }.run()
    bar.clear()
    try output.print(
      results.map { result in
        [
          .init("entity", .text(result.entityName)), .init("rows", .integer(Int64(result.rows))),
          .init("links", .integer(Int64(result.links))),
          .init("differences", .integer(Int64(result.differences))),
        ]
      })
    if try StoreCopying.hashes(at: store) != StoreCopying.hashes(at: copy)
      || results.contains(where: { $0.differences > 0 })
    {
      throw ExitCode(ToolError.Status.findings.rawValue)
    }
  }
}
