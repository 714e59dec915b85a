import ArgumentParser
import OpenStoreTool

/// The command that copies a store to a file or a server.
struct Copy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy a store to a new file or server, and compare the copy with the store.",
    discussion: """
      The copy has the same keys, versions, links and orders, so the URIs of objects remain valid. The history is not copied. Other \
      programs must not write to the source while it is being copied. The exit status is 1 if the copy differs from the source. For \
      example, store files round decimals with more than 15 digits.
      """)

  @Argument(help: "The file or URL of the store.", completion: .file())
  var store: String

  @Argument(help: "The file or URL of the copy. No store may exist there yet.", completion: .file())
  var copy: String

  @Option(
    help: "The model to read the store with: a .mom, .momd or .xcdatamodeld, or another store.")
  var model: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let bar = ProgressBar()
    defer { bar.clear() }
    Interruption.observe()
    let results = try StoreCopying(
      from: store, to: copy, modelPath: model, isCancelled: { Interruption.hasOccurred }
    ) { bar.show($0) }.run()
    bar.clear()
    try output.print(
      results.map { result in
        [
          .init("entity", .text(result.entityName)), .init("rows", .integer(Int64(result.rows))),
          .init("links", .integer(Int64(result.links))),
          .init("differences", .integer(Int64(result.differences))),
        ]
      })
    let changed = try StoreCopying.changedHashes(from: store, to: copy)
    if !changed.isEmpty {
      Output.complain(
        "The version hashes of the copy differ from those of the store: "
          + changed.joined(separator: ", ")
          + ". The tool read the store with another model. Copy the store with its own model, which "
          + "--model can specify.")
    }
    if !changed.isEmpty || results.contains(where: { $0.differences > 0 }) {
      throw ExitCode(ToolError.Status.findings.rawValue)
    }
  }
}
