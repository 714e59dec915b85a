import ArgumentParser
import AwfulCore
import ForumHTML
import ForumScraping
import Foundation
import CommandParts

/// Imports saved pages into a store, with one save for each page. A page that cannot be read changes nothing.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import saved forum pages into a store.")

  @Argument(help: "The saved pages.", completion: .file(), transform: Input.path)
  var files: [String]

  @OptionGroup var store: StoreOptions

  @Option(help: "The Content-Type header that the pages were sent with.")
  var contentType: String?

  @Option(help: "The address that the pages were fetched from.")
  var address: String?

  @Flag(help: "Import pages again, even if they were already imported.")
  var again = false

  func run() async throws {
    var opened: ForumStore?
    var marks: ReaderMarks?
    var hasFailed = false
    for file in files {
      let saved = PageFile(path: file, contentType: contentType, address: address)
      do {
        let fingerprint = try saved.fingerprint()
        // Files and pages that cannot be read do not create a store.
        if opened == nil, !self.store.isPresent { _ = try saved.scrape() }
        let store = try opened ?? self.store.openOrMake()
        if opened == nil {
          marks = try self.store.openPersonalIfPresent()
            .map { ReaderMarks(store: store, personal: $0) }
        }
        opened = store
        try await importPage(saved, fingerprint, into: store, keeping: marks)
      } catch let error as ExitCode {
        throw error
      } catch {
        hasFailed = true
        Terminal.complain(Self.complaint(error, file))
      }
    }
    if hasFailed { throw ExitCode.failure }
  }

  private func importPage(
    _ saved: PageFile, _ fingerprint: String, into store: ForumStore, keeping marks: ReaderMarks?
  ) async throws {
    let file = saved.path
    // A saved page is a snapshot. Importing it again would overwrite later values.
    if !again, store.hasImported(fingerprint) {
      return print("\(file): already imported, nothing changed")
    }
    let page = try saved.scrape()
    let summary =
      if let marks { try await marks.importPage(page) } else { try await store.importPage(page) }
    try store.noteImported(fingerprint)
    let removed = summary.deletedCount > 0 ? ", \(summary.deletedCount) removed" : ""
    print(
      "\(file): \(page.kind.rawValue), \(summary.insertedCount) inserted, "
        + "\(summary.updatedCount) updated\(removed)")
  }

  /// Returns an error message with the file and the stable name of the error.
  private static func complaint(_ error: any Error, _ file: String) -> String {
    switch error {
    case let error as PageError: error.naming(file).description
    case let error as ForumErrorPage: "\(file): \(error) [\(error.kind.rawValue)]"
    case let error as CocoaError: "\(file): \(error.localizedDescription) [\(error.code.rawValue)]"
    default: "\(file): \(error)"
    }
  }
}
