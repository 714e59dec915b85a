import ArgumentParser
import CommandParts
import Foundation
import StoriesCore
import WebPages

/// Lists and changes collections.
struct Collections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List and change collections.",
    discussion: "Specify a collection by its name or id, and a story by its id.",
    subcommands: [
      ListCollections.self, MakeCollection.self, RenameCollection.self, AddToCollection.self,
      RemoveFromCollection.self, DeleteCollection.self,
    ], defaultSubcommand: ListCollections.self)
}

/// The name or the id of a collection.
struct CollectionName: ExpressibleByArgument {
  let text: String

  init?(argument: String) { text = argument }

  /// Finds the collection.
  ///
  /// - Throws: `CommandFailure` if no collection or more than one collection matches.
  func find(in library: StoryLibrary) async throws -> CollectionValue {
    let all = try await library.allCollections()
    return try NamedValue.find(
      text, among: all, kind: "collection", listing: "stories collections", id: \.id,
      isNamed: { $0.name == text })
  }
}

/// The arguments for the collection that a command changes.
struct ChosenCollection: ParsableArguments {
  @Argument(help: "The collection.")
  var collection: CollectionName

  @OptionGroup var store: StoreOptions

  /// Changes the collection, and prints the sentence that `work` returns.
  func change(_ work: (StoryLibrary, CollectionValue) async throws -> String) async throws {
    let store = try store.openExisting()
    try await Terminal.reporting {
      let library = try StoryLibrary(store)
      print(Terminal.line(try await work(library, try await collection.find(in: library))))
    }
  }
}

/// Returns the number of stories of a collection, in words.
private func storyCount(_ collection: CollectionValue) -> String {
  Wording.count(collection.storyIDs.count, "story", plural: "stories")
}

/// Shows the collections.
struct ListCollections: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the collections.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let store = try store.openExisting()
    let all = try await Terminal.reporting { try await StoryLibrary(store).allCollections() }
    if json { return try Output.printJSON(all) }
    for collection in all {
      let percent = Int(min(1, max(0, collection.progress)) * 100)
      let content = "\(storyCount(collection)), \(percent)% read"
      print(Terminal.line("\(collection.id.uuidString)  \(collection.name) (\(content))"))
    }
    print(Wording.count(all.count, "collection"))
  }
}

/// Creates a collection.
struct MakeCollection: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Create a collection.")

  @Argument(help: "The name.")
  var name: String

  @Argument(help: "The ids of its stories.")
  var stories: [UUID] = []

  @Option(help: "A description of the collection.")
  var about: String?

  @OptionGroup var store: StoreOptions

  func run() async throws {
    let store = try store.openOrMake()
    try await Terminal.reporting {
      let made = try await StoryLibrary(store).addCollection(
        named: name, descriptionText: about, stories: stories)
      print(Terminal.line("\(made.id.uuidString)  \(made.name)"))
    }
  }
}

/// Renames a collection.
struct RenameCollection: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a collection.")

  @OptionGroup var chosen: ChosenCollection

  @Argument(help: "The new name.")
  var name: String

  func run() async throws {
    try await chosen.change { library, found in
      try await library.renameCollection(found.id, to: name)
      return "Renamed \(found.name) to \(name)."
    }
  }
}

/// Adds stories to a collection.
struct AddToCollection: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add stories to a collection.")

  @OptionGroup var chosen: ChosenCollection

  @Argument(help: "The ids of the stories.")
  var stories: [UUID]

  func run() async throws {
    try await chosen.change { library, found in
      try await library.add(stories, to: found.id)
      let count = storyCount(try await library.collection(found.id))
      return "\(found.name) has \(count)."
    }
  }
}

/// Removes stories from a collection.
struct RemoveFromCollection: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove stories from a collection, but keep them in the library.")

  @OptionGroup var chosen: ChosenCollection

  @Argument(help: "The ids of the stories.")
  var stories: [UUID]

  func run() async throws {
    try await chosen.change { library, found in
      if let other = stories.first(where: { !found.storyIDs.contains($0) }) {
        throw CommandFailure("The collection does not contain the story \(other.uuidString).")
      }
      try await library.remove(stories, from: found.id)
      let count = storyCount(try await library.collection(found.id))
      return "\(found.name) has \(count)."
    }
  }
}

/// Deletes a collection.
struct DeleteCollection: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a collection, but keep its stories.")

  @OptionGroup var chosen: ChosenCollection

  @Flag(help: "Also delete its stories, even if they are in other collections.")
  var withStories = false

  func run() async throws {
    try await chosen.change { library, found in
      try await library.deleteCollection(found.id, withStories ? .withStories : .keepingStories)
      return "Deleted \(found.name)."
    }
  }
}
