import ArgumentParser
import CommandParts

/// The command line of the forum reader. Each subcommand has its own file.
@main
struct Awful: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "awful",
    abstract: "A web forum reader that stores everything for offline reading.",
    version: ExampleVersion.text,
    subcommands: [
      Scrape.self, Import.self, Sync.self, Forums.self, Threads.self, Posts.self, Messages.self,
      Search.self,
      Serve.self, Read.self, Login.self, Logout.self, Export.self, Prune.self, Stats.self,
      Doctor.self,
    ])
}
