import ArgumentParser
import CommandParts
import Foundation
import StoriesCore

/// Shows and changes the child's profile.
struct Profile: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show or change the child's profile.",
    discussion: "Each option changes one part of the profile. The other parts stay the same.")

  @Option(help: "The child's name.")
  var name: String?

  @Option(help: "An interest of the child. Can be repeated. Replaces the previous list.")
  var interest: [String] = []

  @Option(help: "A theme that the child likes. Can be repeated.")
  var theme: [StoryTheme] = []

  @Option(help: "A character that the child likes. Can be repeated.")
  var character: [String] = []

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  private var isChange: Bool {
    name != nil || !interest.isEmpty || !theme.isEmpty || !character.isEmpty
  }

  func run() async throws {
    let store = try isChange ? store.openOrMake() : store.openExisting()
    let (name, interests, themes, characters) = (name, interest, theme.map(\.rawValue), character)
    let (profile, streak) = try await Terminal.reporting {
      let library = try StoryLibrary(store)
      if isChange {
        try await library.updateProfile { profile in
          if let name { profile.childName = name }
          if !interests.isEmpty { profile.interests = interests }
          if !themes.isEmpty { profile.preferredThemes = themes }
          if !characters.isEmpty { profile.favoriteCharacters = characters }
        }
      }
      return (try await library.profile(), try await library.currentStreak())
    }
    if json { return try Output.printJSON(profile) }
    let lines = [
      ("Name", [profile.childName]), ("Interests", profile.interests),
      ("Themes", profile.preferredThemes), ("Characters", profile.favoriteCharacters),
    ]
    for (label, values) in lines where values.contains(where: { !$0.isEmpty }) {
      print(Terminal.printable("\(label): \(values.joined(separator: ", "))"))
    }
    print("Days in a row: \(streak)")
  }
}
