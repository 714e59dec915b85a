import ArgumentParser
import CommandParts
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit

/// Prints the size of the library.
struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the size of the library.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let store = try store.openExisting()
    let numbers = try Terminal.reporting {
      try store.performBatchOperation { try LibraryStatistics(in: $0) }
    }
    if json { return try Output.printJSON(numbers) }
    print(
      "\(numbers.trackCount) tracks, \(numbers.albumCount) albums, \(numbers.artistCount) artists")
    print(String(format: "%.1f hours, %.2f GB", numbers.hours, numbers.gigabytes))
    for part in numbers.formats { print("\(part.name ?? "none"): \(part.trackCount)") }
  }
}

/// Checks the library for problems.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the library for problems.",
    discussion: "The exit status is 1 if there are problems."
  )

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let store = try store.openExisting()
    let findings = try Terminal.reporting {
      try store.performBatchOperation { try LibraryCheck().findings(in: $0) }
    }
    if json {
      try Output.printJSON(findings)
    } else {
      for finding in findings { print(Terminal.line("\(finding)")) }
      if findings.isEmpty { print("No problems were found.") }
    }
    if !findings.isEmpty { throw ExitCode.failure }
  }
}
