import ArgumentParser
import Foundation
import OpenStoreTool

/// The command that creates a backup or a copy of a store.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Back up a store with all committed data and its external files.",
    discussion: """
      The backup is a folder in NAME.backups next to the store, or in the folder specified with --to. Other programs may \
      have the store open and write to it. With COPY, the command writes a single store file and its external files instead.
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: "The file to copy the store to, instead of creating a backup.", completion: .file())
  var copy: String?

  @Option(help: "The folder that contains the backups.", completion: .directory)
  var to: String?

  @Option(help: "The number of backups to keep, including the new one. Older backups are deleted.")
  var keep: Int?

  @Flag(help: "List the existing backups, newest first, instead of creating one.")
  var list = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if copy != nil, to != nil || keep != nil || list {
      throw ValidationError("COPY cannot be combined with --to, --keep or --list.")
    }
    if list, keep != nil { throw ValidationError("Use only one of --list and --keep.") }
    if let keep, keep < 1 { throw ValidationError("--keep must be at least 1.") }
  }

  func run() throws {
    if let copy {
      try BackupReport.copy(storeAt: store, to: copy)
      if output.format == .table { return try print(text: "\(copy): copied\n") }
      return try output.print([[.init("store", .text(store)), .init("copy", .text(copy))]])
    }
    if list { return try output.print(BackupReport.list(ofStoreAt: store, in: to)) }
    try output.print([BackupReport.make(ofStoreAt: store, in: to, keeping: keep)])
  }
}

/// The command that replaces a store by a backup.
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace a store with a backup. The backup is kept.",
    discussion: """
      The backup is checked first. The old store stays in place until the copy is complete. If a program has the store \
      open, the store is not replaced, and the error message names the program.
      """)

  @Argument(help: "The folder of the backup to restore.", completion: .directory)
  var backup: String

  @Option(
    help: "The store file to replace; by default, the store that was backed up.",
    completion: .file())
  var to: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let place = try BackupReport.restore(backup, to: to)
    try output.print([[.init("store", .text(place)), .init("backup", .text(backup))]])
  }
}
