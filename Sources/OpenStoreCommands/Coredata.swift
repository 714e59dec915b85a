import ArgumentParser
import Foundation
import OpenStoreTool

/// The store tool's command line; each subcommand is a separate type.
///
/// All commands declare their names. Otherwise, ArgumentParser derives the names from the types,
/// and Swift's lookup of type names takes a third of the time of `--help`.
struct Coredata: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata",
    abstract: "Inspects Core Data and SwiftData stores and their models.",
    discussion: """
      Only restore, migrate and text-index change a store or its sidecar files. The tool uses the model that is cached in the \
      store, unless --model specifies another model. coredata-postgres has the same commands, and also supports PostgreSQL \
      stores: postgresql://user@host/database?schema=name.

      Exit status: 0 success, 1 findings, 2 incorrect usage, 3 unreadable input, 74 output cannot be written.
      """,
    version: ToolVersion.text,
    subcommands: [
      Info.self, List.self, Fetch.self, Get.self, Statistics.self, Model.self, Explain.self,
      TextIndex.self, Backup.self, Restore.self, Copy.self, Migrate.self, Verify.self,
    ])
}

/// The programs `coredata` and `coredata-postgres`, which have the same commands.
package enum StoreProgram {
  /// Executes the command line, and terminates the process. The exit status is 0 after success, and
  /// otherwise a `ToolError.Status`.
  package static func run() -> Never {
    Output.prepare()
    InspectedStore.omitClassWarnings()
    exit(status())
  }

  private static func status() -> Int32 {
    do {
      if let text = quickAnswer {
        try print(text: text + "\n")
        return 0
      }
      var command = try Coredata.parseAsRoot()
      try command.run()
      return 0
    } catch {
      return status(of: error)
    }
  }

  /// The output for the single argument `--help` or `--version`; nil for other arguments.
  ///
  /// The output does not need the parser, which would spend most of its time on Swift's lookup of
  /// types.
  private static var quickAnswer: String? {
    switch CommandLine.arguments.dropFirst() {
    case ["--help"], ["-h"]: Coredata.helpMessage()
    case ["--version"]: ToolVersion.text
    default: nil
    }
  }

  private static func status(of error: any Error) -> Int32 {
    switch error {
    case let error as ToolError:
      Output.complain(error.message)
      return error.status.rawValue
    case let code as ExitCode: return code.rawValue  // what was found is printed
    default: break
    }
    let code = Coredata.exitCode(for: error)
    let message = Coredata.fullMessage(for: error)
    if code == .success {
      do { try print(text: message + "\n") } catch { return status(of: error) }
      return 0
    }
    Output.complain(
      code == .validationFailure ? message : InspectedStore.locatedSentence(for: error))
    let status: ToolError.Status = code == .validationFailure ? .usage : .unreadable
    return status.rawValue
  }
}
