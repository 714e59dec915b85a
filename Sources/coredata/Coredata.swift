import ArgumentParser
import Foundation
import OpenStoreTool

/// The store tool's command line; each subcommand is a type of its own.
struct Coredata: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata",
    abstract: "Looks into Core Data and SwiftData stores, and into their models.",
    discussion: """
      Stores are only read: a file and what lies beside it stay byte for byte as they are. The model is the one \
      that the store keeps, unless --model names another.

      Exit status: 0 fine, 1 findings, 2 wrong use, 3 cannot read.
      """,
    subcommands: [
      Info.self, List.self, Fetch.self, Get.self, Statistics.self, Model.self, Explain.self,
      Backup.self, Verify.self,
    ])
}

@main
enum Main {
  static func main() {
    do {
      var command = try Coredata.parseAsRoot()
      try command.run()
    } catch let error as ToolError {
      complain(error.message)
      exit(error.status.rawValue)
    } catch let code as ExitCode {
      exit(code.rawValue)  // what was found is printed
    } catch {
      let code = Coredata.exitCode(for: error)
      let message = Coredata.fullMessage(for: error)
      if code == .success {
        print(message)
        exit(0)
      }
      complain(code == .validationFailure ? message : OpenedStore.sentence(for: error))
      let status: ToolError.Status = code == .validationFailure ? .usage : .unreadable
      exit(status.rawValue)
    }
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data((message + "\n").utf8))
  }
}
