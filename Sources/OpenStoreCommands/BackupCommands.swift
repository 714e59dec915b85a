import ArgumentParser
import Foundation
import OpenStoreTool

/// The command that creates a backup or a copy of a store.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up a store with all committed data and its external files.",
    discussion: """
      The backup is a folder in NAME.backups beside the store, or in the folder that --to names. Other programs may \
      have the store open and write to it. With COPY, one file and its external files are written instead.
      """)

  @Argument(help: "The store's file.", completion: .file())
  var store: String

  @Argument(help: "A file to make instead of a backup.", completion: .file())
  var copy: String?

  @Option(help: "The folder of the backups.", completion: .directory)
  var to: String?

  @Option(help: "How many backups to keep, this one included; older ones are removed.")
  var keep: Int?

  @Flag(help: "Make none; list the backups, the newest first.")
  var list = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if copy != nil, to != nil || keep != nil || list {
      throw ValidationError("A copy takes no --to, --keep or --list.")
    }
    if list, keep != nil { throw ValidationError("Use --list or --keep, not both.") }
    if let keep, keep < 1 { throw ValidationError("--keep takes a number from 1.") }
  }

  func run() throws {
    if let copy {
      try BackupReport.copy(storeAt: store, to: copy)
      return try print(text: "\(copy): copied\n")
    }
    if list { return try output.print(BackupReport.list(ofStoreAt: store, in: to)) }
    try output.print([BackupReport.make(ofStoreAt: store, in: to, keeping: keep)])
  }
}

/// The command that replaces a store by a backup.
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace a store by a backup; the backup is kept.",
    discussion: """
      The backup is checked first. The old store stays in its place until the copy is complete. A store that a \
      program has open is not replaced: the message names the program.
      """)

  @Argument(help: "The folder of the backup.", completion: .directory)
  var backup: String

  @Option(help: "The store's file; the one that the backup is of by default.", completion: .file())
  var to: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let place = try BackupReport.restore(backup, to: to)
    try output.print([[.init("store", .text(place)), .init("backup", .text(backup))]])
  }
}
