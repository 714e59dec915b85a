import ArgumentParser
import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import CommandParts

/// Deletes threads that the site no longer lists.
struct Prune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Delete threads that the site's lists do not show any more.",
    discussion:
      "Bookmarked and saved threads stay, and threads on the lists, which would be fetched again.")

  @OptionGroup var store: StoreOptions

  @Option(help: "Delete threads that were not fetched for so many days.")
  var days: Double = 30

  @Option(
    name: .customLong("max-megabytes"),
    help: "While the store is larger, delete younger threads as well.")
  var megabytes: Int64?

  func validate() throws {
    if !(days >= 0) { throw ValidationError("--days must be 0 or more.") }
    if let megabytes, !(1...1_000_000).contains(megabytes) {
      throw ValidationError("--max-megabytes must be from 1 to 1000000.")
    }
  }

  func run() async throws {
    let personal = try self.store.openPersonal()
    let store = try self.store.openExisting()
    let report = try await Terminal.reporting {
      try store.prune(
        olderThanDays: days, keeping: try await SavedThreads(personal).rows().map(\.threadID),
        sizeLimit: megabytes.map { $0 * 1_000_000 })
    }
    let counts = report.deletedCounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print(counts.isEmpty ? "Nothing to delete." : "Deleted: \(counts.joined(separator: ", ")).")
    if let before = report.bytesBefore, let after = report.bytesAfter {
      print("The objects take \(after) bytes; before, they took \(before).")
    }
  }
}

/// Shows how much is stored.
struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show how much is stored.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  private struct Report: Encodable {
    let objects: [String: Int]
    let bytes: Int64?
  }

  func run() throws {
    let store = try store.openExisting()
    let counts = try Terminal.reporting { try store.objectCounts() }
    let bytes = store.statistics.stores.compactMap(\.byteCount).first
    if json { return try Output.printJSON(Report(objects: counts, bytes: bytes)) }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(name): \(count)") }
    if let bytes { print("The files take \(bytes) bytes.") }
  }
}

/// Checks a store for problems, and suggests remedies.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look for what is wrong with a store.", discussion: "Ends with 1 if something is.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  private struct Report: Encodable {
    let kind: String
    let object: String?
    let message: String
  }

  func run() throws {
    let store = try store.openExisting()
    let findings = try Terminal.reporting { try store.check() }
    if json {
      try Output.printJSON(
        findings.map {
          Report(
            kind: $0.kind.rawValue, object: $0.objectID?.uriRepresentation().absoluteString,
            message: $0.message)
        })
    } else {
      for finding in findings { print(Terminal.printable("\(finding)")) }
      print(
        findings.isEmpty
          ? "The store is sound."
          : "Sync into a new store: everything in it, marks of reading and bookmarks too, comes from the site."
      )
    }
    if !json, let reports = PageReports(of: store) { try Self.show(reports) }
    if !findings.isEmpty { throw ExitCode.failure }
  }

  private static func show(_ reports: PageReports) throws {
    let count = try Terminal.reporting { try reports.files().count }
    if count == 0 { return }
    print(
      "\(count) page\(count == 1 ? "" : "s") of the site could not be read. They are kept without texts and names in "
        + "\(reports.folder.path), to be sent with a report.")
  }
}
