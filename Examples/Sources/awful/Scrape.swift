import ArgumentParser
import ForumHTML
import ForumScraping
import Foundation
import CommandParts

/// Reads saved pages and prints what the scrapers find. Checks the scrapers without a network and a store.
struct Scrape: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read saved forum pages and print their contents.")

  @Argument(help: "The saved pages.", completion: .file(), transform: Input.path)
  var files: [String]

  @Flag(help: "Print a JSON object, or an array of objects for several pages.")
  var json = false

  @Option(help: "The Content-Type header that the pages were sent with.")
  var contentType: String?

  @Option(help: "The address that the pages were fetched from.")
  var address: String?

  func run() throws {
    var reports: [ScrapeReport] = []
    var hasFailed = false
    for file in files {
      do {
        let reading = try read(file)
        reports.append(try ScrapeReport(reading, of: name(of: file)))
        if let truncation = reading.truncation { throw truncation }
      } catch let error as PageError {
        hasFailed = true
        Terminal.complain(error.naming(file).description)
        if !reports.contains(where: { $0.page == name(of: file) }) {
          reports.append(ScrapeReport(error, of: name(of: file)))
        }
      } catch {
        hasFailed = true
        Terminal.complain("\(file): \(error.localizedDescription)")
      }
    }
    try show(reports)
    if hasFailed { throw ExitCode.failure }
  }

  private func read(_ file: String) throws -> PageScraper.Reading {
    try PageFile(path: file, contentType: contentType, address: address).read()
  }

  private func name(of file: String) -> String {
    PageFile(path: file).name
  }

  private func show(_ reports: [ScrapeReport]) throws {
    guard json else {
      for report in reports { print("\(report.page): \(report.kind), \(report.facts.count) facts") }
      return
    }
    if files.count == 1, let report = reports.first { return try Output.printJSON(report) }
    try Output.printJSON(reports)
  }
}
