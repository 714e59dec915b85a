import Foundation
import OpenObjectGraph
import OpenStoreTool
import Testing

@Suite("The command line")
struct CommandLineTests {
  private func sample(_ count: Int) throws -> Sample {
    let sample = try Sample()
    try sample.writeItems(count)
    return sample
  }

  @Test(
    "an output that cannot be written ends the command with a message and status 74",
    arguments: [
      "\"$TOOL\" fetch \"$1\" --entity Item --format FORMAT > /dev/full",
      "\"$TOOL\" fetch \"$1\" --entity Item --format FORMAT >&-",
      "trap '' PIPE; { \"$TOOL\" fetch \"$1\" --entity Item --format FORMAT; echo $? >&3; } 3>&2 | :",
      "{ \"$TOOL\" fetch \"$1\" --entity Item --format FORMAT; echo $? >&3; } 3>&2 | :",
    ])
  func closedOutput(_ line: String) throws {
    // More than the buffer of a pipe.
    let sample = try sample(3000)
    for format in OutputFormat.allCases {
      let run = try ToolProcess(
        line.replacing("FORMAT", with: format.rawValue), store: sample.file)
      #expect(!run.isKilled)
      #expect(run.errors.contains("The output cannot be written: "), "\(format): \(run.errors)")
      #expect(run.status == 74 || run.errors.contains("74\n"), "\(format): \(run.status)")
    }
  }

  @Test("a closed output is also an error for help, texts and single rows")
  func closedTexts() throws {
    let sample = try sample(3)
    for command in [
      "--help", "--version", "info \"$1\"", "model diagram \"$1\"", "model show \"$1\"",
      "explain \"$1\" --entity Item",
    ] {
      let run = try ToolProcess("\"$TOOL\" \(command) > /dev/full", store: sample.file)
      #expect(run.status == 74, "\(command): \(run.errors)")
    }
    let silent = try ToolProcess("\"$TOOL\" ls \"$1\" >&- 2>&-", store: sample.file)
    #expect(silent.status == 74)
  }

  @Test("help is printed to standard output with status 0, however it is requested")
  func help() throws {
    let sample = try sample(1)
    let short = try ToolProcess("\"$TOOL\" -h", store: sample.file)
    let long = try ToolProcess("\"$TOOL\" --help", store: sample.file)
    let parsed = try ToolProcess("\"$TOOL\" help", store: sample.file)
    for run in [short, long, parsed] {
      #expect(run.status == 0 && run.errors.isEmpty)
      #expect(run.output.contains("USAGE: coredata <subcommand>"))
    }
    #expect(short.output == long.output && parsed.output == long.output)
    #expect(try ToolProcess("\"$TOOL\" fetch --help", store: sample.file).status == 0)
  }

  @Test("control characters in an error message do not reach the terminal")
  func messages() throws {
    let run = try ToolProcess(
      "\"$TOOL\" ls \"$(printf '/nowhere/\\033[2J')\"", store: sample(1).file)
    #expect(run.status == 3)
    #expect(run.errors == "/nowhere/·[2J: There is no such file.\n")
  }

  @Test("the version is printed")
  func version() throws {
    let sample = try sample(1)
    let run = try ToolProcess("\"$TOOL\" --version", store: sample.file)
    #expect(run.status == 0)
    #expect(run.output == ToolVersion.text + "\n")
  }

  @Test("values in pipes are complete, with and without --full")
  func wholeValues() throws {
    let sample = try Sample()
    let title = String(repeating: "long ", count: 60) + "end"
    try sample.write { context in
      try Sample.insert("Item", into: context).setValue(title, forKey: "title")
    }
    for option in ["", "--full"] {
      let run = try ToolProcess(
        "\"$TOOL\" fetch \"$1\" --entity Item \(option)", store: sample.file)
      #expect(run.output.contains(title))
    }
  }

  @Test("a mistake in a date is wrong use, and names the property")
  func badDate() throws {
    let sample = try sample(1)
    let run = try ToolProcess(
      "\"$TOOL\" fetch \"$1\" --entity Item --where \"day > 'soon'\"", store: sample.file)
    #expect(run.status == 2)
    #expect(run.errors.contains("day is a date, but \"soon\" is not"))
  }
}
