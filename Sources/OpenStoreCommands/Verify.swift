import ArgumentParser
import OpenStoreTool

/// The command that checks whether a store satisfies the rules of its model.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a store against its model (exit status 1 if there are problems).",
    discussion: """
      Looks for references to missing objects, one-sided inverse relationships, missing and duplicate values, values of \
      wrong types, join rows without objects, rows of unknown entities, and missing or unused external files. Every row is read \
      at least twice.
      """)

  @OptionGroup var options: StoreOptions

  func run() throws {
    let rows = try Verification.findings(in: options.open())
    try options.output.print(rows)
    if !rows.isEmpty { throw ExitCode(ToolError.Status.findings.rawValue) }
  }
}
