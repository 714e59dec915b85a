import ArgumentParser
import Foundation
import OpenStoreTool

/// The command that migrates a store to another version of its model.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate a store to another version of its model.",
    discussion: """
      The versions are those in the folder specified with --model, a .momd or .xcdatamodeld. The command uses the mapping models next to \
      this folder, and infers all other mappings. It first backs up the store in NAME.backups next to the store. To continue an \
      interrupted migration, use --resume. To undo it, use --roll-back.
      """)

  @Argument(help: "The store file, or a folder that contains one.", completion: .file())
  var store: String

  @Option(help: "The model folder that contains all versions, or the single new version.")
  var model: String

  @Option(help: "The version to migrate to; by default, the current version of the model.")
  var to: String?

  @Option(help: "The versions to migrate through, separated by commas.")
  var via: String?

  @Flag(help: "Print the steps and their effects without changing anything.")
  var plan = false

  @Flag(help: "With --plan, print the SQL statements of the steps instead.")
  var statements = false

  @Flag(help: "Migrate a copy of the store, and delete the copy.")
  var dryRun = false

  @Flag(help: "Continue an interrupted migration.")
  var resume = false

  @Flag(help: "Undo the completed steps of an interrupted migration by restoring its backup.")
  var rollBack = false

  @Flag(name: .customLong("no-backup"), help: "Do not create a backup.")
  var withoutBackup = false

  @Flag(
    help:
      "Migrate a store whose model is not one of the versions even if the migration deletes data.")
  var allowLoss = false

  @Flag(
    help:
      "Only add new tables and columns to a store on a server, so that programs with the earlier version can keep using it."
  )
  var expand = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if expand, plan { throw ValidationError("Use only one of --plan and --expand.") }
    guard [plan, dryRun, resume, rollBack].filter({ $0 }).count < 2 else {
      throw ValidationError("Use only one of --plan, --dry-run, --resume and --roll-back.")
    }
    if statements, !plan { throw ValidationError("--statements requires --plan.") }
    if resume || rollBack, to != nil || via != nil {
      throw ValidationError(
        "An interrupted migration already has its versions. Omit --to and --via.")
    }
  }

  /// Migrates a store on a server. Returns `false` if the store is a file.
  private func runOnServer() throws -> Bool {
    guard
      let report = try ServedMigrationReport(
        storeAt: store, modelAt: model, to: to, allowsLoss: allowLoss)
    else { return false }
    if dryRun || resume || rollBack || via != nil {
      throw ToolError(
        .usage,
        "A store on a server is migrated in one transaction. Omit --dry-run, --resume, --roll-back and --via."
      )
    }
    if let sentence = report.completeness { Output.report(sentence) }
    try output.print(
      plan
        ? report.plan(showsStatements: statements) : expand ? report.expand() : report.run())
    return true
  }

  func run() throws {
    if try runOnServer() { return }
    if expand {
      throw ToolError(
        .usage, "--expand is only for stores on a server. Migrate the file without it.")
    }
    let report = try MigrationReport(
      storeAt: store, modelAt: model, to: to,
      via: via?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? [],
      makesBackup: !withoutBackup, allowsLoss: allowLoss)
    if plan {
      return try show(statements ? report.statements() : report.plan(), of: report)
    }
    if rollBack { return try output.print([report.rollBack()]) }
    let bar = ProgressBar()
    defer { bar.clear() }
    let rows =
      if dryRun {
        try report.dryRun()
      } else if resume {
        try report.resume { bar.show($0) }
      } else {
        try report.run { bar.show($0) }
      }
    bar.clear()
    try show(rows, of: report)
  }

  private func show(_ rows: [[OutputValue.Field]], of report: MigrationReport) throws {
    if rows.isEmpty, let sentence = try report.completeness() { Output.report(sentence) }
    try output.print(rows)
  }
}

/// A progress bar on standard error. The bar is shown only if the output is a terminal.
final class ProgressBar {
  private static let width = 40
  private let isShown = isatty(2) == 1
  private var last = -1

  func show(_ fraction: Double) {
    let cells = Int(max(0, min(1, fraction)) * Double(Self.width))
    guard isShown, cells != last else { return }
    last = cells
    let bar =
      String(repeating: "█", count: cells) + String(repeating: "░", count: Self.width - cells)
    Output.report("\r\(bar) \(Int(fraction * 100)) %")
  }

  func clear() {
    if isShown, last >= 0 { Output.report("\r\u{1B}[K") }
    last = -1
  }
}
