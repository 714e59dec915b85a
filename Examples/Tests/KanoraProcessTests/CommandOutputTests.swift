import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// What the commands print, where they write, and which arguments they refuse.
@Suite("Output and arguments of the music library's commands")
struct CommandOutputTests: SampleLibraryTests {
  let folder: URL

  init() throws { folder = try Self.makeFolder() }

  private func place(_ name: String) -> URL { folder.appendingPathComponent(name) }

  @Test(
    "a command whose output is lost ends with an error and a sentence",
    arguments: [["list"], ["list", "--json"], ["export"]])
  func lostOutput(_ arguments: [String]) throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let complaints = Pipe()
    let process = try TestProgram.begin(
      "kanora", arguments + ["--store", file.path], output: full, complaints: complaints)
    let data = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 74)
    #expect(String(decoding: data, as: UTF8.self).contains("The output cannot be written."))
  }

  @Test("an error message that cannot be written does not crash the command")
  func lostComplaint() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let process = try TestProgram.begin(
      "kanora", ["list", "--store", place("none.sqlite").path], complaints: full)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 1)
  }

  @Test("export --output keeps symbolic links, and writes into pipes")
  func targets() throws {
    let manager = FileManager.default
    for name in ["kept", "dangling"] {
      let (link, target) = (place(name), place("\(name).csv"))
      if name == "kept" { try Data("old".utf8).write(to: target) }
      try manager.createSymbolicLink(at: link, withDestinationURL: target)
      let outcome = try run("export", "--format", "csv", "--output", link.path)
      #expect(outcome.status == 0, "\(outcome.complaints)")
      #expect(try manager.destinationOfSymbolicLink(atPath: link.path) == target.path)
      #expect(try String(contentsOf: target, encoding: .utf8).hasPrefix("path,"))
    }
    let pipe = place("pipe")
    let made = mkfifo(pipe.path, 0o600)
    #expect(made == 0)
    // The pipe is open for reading and writing, so that neither side waits for the other one.
    let reader = try FileHandle(forUpdating: pipe)
    #expect(try run("export", "taxman", "--format", "csv", "--output", pipe.path).status == 0)
    #expect(String(decoding: reader.availableData, as: UTF8.self).hasPrefix("path,"))
  }

  @Test("an error names the file that cannot be read or written")
  func names() throws {
    let missing = place("none.json").path
    #expect(try run("import", missing).complaints.contains("\(missing) cannot be read."))
    let outcome = try run("export", "--output", folder.path)
    #expect(outcome.status == 1)
    #expect(outcome.complaints.contains("\(folder.path) cannot be written."))
  }

  @Test(
    "an empty path is refused",
    arguments: [["scan", ""], ["export", "--output", ""], ["import", "", "--format", "csv"]])
  func emptyPaths(_ arguments: [String]) throws {
    let outcome = try TestProgram.run("kanora", arguments + ["--store", file.path])
    #expect(outcome.status == 64 && outcome.complaints.contains("The path is empty."))
  }

  @Test("a folder that cannot be read does not create a library")
  func noFolder() throws {
    let store = place("new.sqlite")
    #expect(try run("scan", place("nothing").path, in: store).status == 1)
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test("a scan lists the files that it could not read, with the reasons")
  func badFiles() throws {
    let music = place("music")
    try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
    let broken = music.appendingPathComponent("broken.mp3")
    try Data("no audio".utf8).write(to: broken)
    let lines = try run("scan", music.path, "--quiet").output.split(separator: "\n")
    #expect(lines.first?.hasSuffix(" 1 bad") == true)
    #expect(lines.count == 2 && lines.last?.hasPrefix("\(broken.path): ") == true)
  }

  @Test("the mark -- ends the options of a query, and a track is one line")
  func lines() throws {
    let search = ["search", "--store", file.path, "--", "taxman"]
    #expect(try TestProgram.run("kanora", search).output.hasPrefix("Taxman · "))
    try KanoraStore.openExisting(file).performBatchOperation { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(format: "title == 'Taxman'", argumentArray: [])
      for track in try context.fetch(request) { track.title = "Tax\nman" }
    }
    #expect(try run("search", "genre:rock").output.contains("Tax man · The Beatles"))
  }

  @Test("the value of a field can begin with a combining mark")
  func combiningMarks() throws {
    let edited = try run("edit", "taxman", "--set", "title=\u{301}x", "--apply")
    #expect(edited.status == 0 && edited.output.hasSuffix("Changed 1 track.\n"))
    let replaced = try run("edit", "genre:rock", "--replace", "title/o/\u{301}")
    #expect(replaced.status == 0, "\(replaced.complaints)")
  }
}
