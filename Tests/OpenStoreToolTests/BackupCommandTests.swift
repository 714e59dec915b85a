import Foundation
import OpenObjectModel
import OpenStoreTool
import Testing

@Suite("Backups by the command line")
struct BackupCommandTests {
  @Test("backup creates, keeps and lists backups, and restore restores one")
  func roundTrip() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    for _ in 0..<3 {
      let run = try ToolProcess(
        "\"$TOOL\" backup \"$1\" --keep 2 --format json", store: sample.file)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.contains("\"backup\":\"\(sample.file.path).backups/"), "\(run.output)")
    }
    let list = try BackupReport.list(ofStoreAt: sample.file.path, in: nil)
    #expect(list.count == 2)
    guard case .text(let newest)? = list.first?.first?.value else { return #expect(Bool(false)) }
    let before = try sample.rows(includesToMany: true)
    try sample.writeItems(2)
    #expect(try sample.rows(includesToMany: true) != before)
    let run = try ToolProcess("\"$TOOL\" restore '\(newest)' --format json", store: sample.file)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"store\":\"\(sample.file.path)\""), "\(run.output)")
    #expect(try sample.rows(includesToMany: true) == before)
    let listed = try ToolProcess(
      "\"$TOOL\" backup \"$1\" --list --format ndjson", store: sample.file)
    #expect(listed.output.split(separator: "\n").count == 2)
  }

  @Test("a backup in another folder is restored to the place that --to names")
  func elsewhere() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let run = try ToolProcess(
      "D=\"$1.d\"; \"$TOOL\" backup \"$1\" --to \"$D\" && \"$TOOL\" restore \"$D\"/*Z-* ; echo $?; "
        + "\"$TOOL\" restore \"$D\"/*Z-* --to \"$1.new\"", store: sample.file)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\n2\n"))
    #expect(run.errors.contains("Specify the store file with --to."))
    #expect(FileManager.default.fileExists(atPath: sample.file.path + ".new"))
  }

  @Test("the store of a folder is copied to a file")
  func storeOfFolder() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let place = sample.folder.appendingPathComponent("copy")
    let run = try ToolProcess(
      "\"$TOOL\" backup \"$1\" '\(place.path)'", store: sample.folder)
    #expect(run.status == 0 && run.output == "\(place.path): copied\n", "\(run.errors)")
    #expect(try InspectedStore.model(at: place.path).entitiesByName["Item"] != nil)
  }

  @Test("the confirmation of a copy has the format that --format specifies")
  func copyFormat() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let run = try ToolProcess(
      "\"$TOOL\" backup \"$1\" \"$1.copy\" --format json", store: sample.file)
    let rows = try JSONDecoder().decode([[String: String]].self, from: Data(run.output.utf8))
    #expect(rows == [["store": sample.file.path, "copy": sample.file.path + ".copy"]])
  }

  @Test("a backup is found in another folder whose name ends in .backups")
  func similarFolder() throws {
    let sample = try Sample()
    try sample.writeItems(3)
    let run = try ToolProcess(
      "D=\"$(dirname \"$1\")/all.backups\"; \"$TOOL\" backup \"$1\" --to \"$D\" && "
        + "\"$TOOL\" restore \"$D\"/*Z-* --to \"$1.new\"", store: sample.file)
    #expect(run.status == 0, "\(run.errors)")
    #expect(FileManager.default.fileExists(atPath: sample.file.path + ".new"))
  }

  @Test(
    "an invalid backup ends with a message",
    arguments: [
      ("restore \"$1\"", 3, "not the folder of a backup"),
      ("restore /nowhere", 3, "not the folder of a backup"),
      ("backup /nowhere", 3, "There is no such file"),
      ("backup \"$1\" --keep 0", 2, "--keep must be at least 1"),
      ("backup \"$1\" /tmp/copy --list", 2, "COPY cannot be combined"),
    ])
  func mistakes(_ command: String, _ status: Int32, _ message: String) throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let run = try ToolProcess("\"$TOOL\" \(command)", store: sample.file)
    #expect(run.status == status)
    #expect(run.errors.contains(message), "\(run.errors)")
  }
}
