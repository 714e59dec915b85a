import ArgumentParser
import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import CommandParts

/// Deletes threads that the site no longer lists.
struct Prune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Delete threads that are no longer on the site's lists.",
    discussion: """
      Bookmarked and saved threads and threads with bookmarked posts are kept. Threads on the lists are kept too, because a sync would \
      fetch them again. While awful serve or awful read shows the store, the command deletes nothing.
      """)

  @OptionGroup var store: StoreOptions

  @Option(help: "Delete threads that have not been fetched for this many days.")
  var days: Double = 30

  @Option(
    name: .customLong("max-megabytes"),
    help: "Also delete newer threads, oldest first, while the store is larger than this.")
  var megabytes: Int64?

  func validate() throws {
    if !(days >= 0) { throw ValidationError("--days must be 0 or more.") }
    if let megabytes, !(1...1_000_000).contains(megabytes) {
      throw ValidationError("--max-megabytes must be between 1 and 1000000.")
    }
  }

  func run() async throws {
    let store = try self.store.openExisting()
    let personal = try self.store.openPersonal()
    let report = try await Terminal.reporting {
      let kept = try await personal.keptIDs()
      return try await StoreViewers(of: store).whileAlone {
        try store.prune(
          olderThanDays: days, keeping: kept.threads, keepingPosts: kept.posts,
          sizeLimit: megabytes.map { $0 * 1_000_000 })
      }
    }
    guard let report else {
      Terminal.complain(
        "Another program shows the store. End that program, or use the button on its settings page."
      )
      throw ExitCode.failure
    }
    print(Self.sentence(of: report))
    if let before = report.bytesBefore, let after = report.bytesAfter {
      print("The objects now take up \(after) bytes. They took up \(before) bytes before.")
    }
  }

  /// Returns a sentence about the numbers of deleted objects.
  static func sentence(of report: PruningReport) -> String {
    let counts = report.deletedCounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return counts.isEmpty ? "Nothing to delete." : "Deleted: \(counts.joined(separator: ", "))."
  }
}

/// Shows how much is stored.
struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the number of stored objects and their size.")

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
    if let bytes { print("The files take up \(bytes) bytes.") }
  }
}

/// Checks a store for problems, and suggests remedies.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check a store for problems.", discussion: "Exits with 1 if there are problems.")

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
          ? "The store has no problems."
          : "Sync into a new store. The site provides all its content, including read marks and bookmarks."
      )
    }
    if !json, let reports = PageReports(of: store) { try Self.show(reports) }
    if !findings.isEmpty { throw ExitCode.failure }
  }

  private static func show(_ reports: PageReports) throws {
    let count = try Terminal.reporting { try reports.files().count }
    if count == 0 { return }
    print(
      "\(count) page\(count == 1 ? "" : "s") of the site could not be read. You can attach the files in "
        + "\(reports.folder.path) to a bug report. They contain no texts or names.")
  }
}
