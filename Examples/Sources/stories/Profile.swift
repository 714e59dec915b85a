import ArgumentParser
import CommandParts
import Foundation
import StoriesCore

/// The options that change the child's profile.
struct ProfileChanges: ParsableArguments {
  @Option(help: "The child's name.")
  var name: String?

  @Option(help: "The child's date of birth, such as 2019-05-06. An empty text removes the date.")
  var born: String?

  @Option(
    help: """
      An interest of the child. Can be repeated. Replaces the previous list; an empty text removes \
      the list.
      """)
  var interest: [String] = []

  @Option(help: "A theme that the child likes. Can be repeated. Replaces the previous list.")
  var theme: [StoryTheme] = []

  @Option(
    help: """
      A character that the child likes. Can be repeated. Replaces the previous list; an empty text \
      removes the list.
      """)
  var character: [String] = []

  @Flag(inversion: .prefixedNo, help: "Whether pages offer to read stories aloud.")
  var readAloud: Bool?

  @Option(
    help: "The name of the voice that reads aloud. An empty text selects the default voice.")
  var voice: String?

  @Option(help: "The color scheme of the pages.")
  var colorScheme: DarkModePreference?

  var isEmpty: Bool {
    [name, born, voice].allSatisfy { $0 == nil } && interest.isEmpty && theme.isEmpty
      && character.isEmpty && readAloud == nil && colorScheme == nil
  }

  /// Returns a closure that changes a profile. It throws `StoriesError` if the date of birth is not valid.
  func edit(in calendar: Calendar) -> @Sendable (inout ProfileValue) throws -> Void {
    let (name, born, voice, readAloud) = (name, born, voice, readAloud)
    let (interest, theme, character) = (interest, theme.map(\.rawValue), character)
    let colorScheme = colorScheme
    return { profile in
      if let name { profile.childName = name }
      if let born { try ProfileField.birthday.set(born, of: &profile, in: calendar) }
      if !interest.isEmpty { profile.interests = interest.filter { !$0.isEmpty } }
      if !theme.isEmpty { profile.preferredThemes = theme }
      if !character.isEmpty { profile.favoriteCharacters = character.filter { !$0.isEmpty } }
      if let readAloud { profile.settings.usesTextToSpeech = readAloud }
      if let voice { try ProfileField.voice.set(voice, of: &profile, in: calendar) }
      if let colorScheme { profile.settings.darkMode = colorScheme }
    }
  }
}

/// Shows and changes the child's profile.
struct Profile: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show or change the child's profile and the reading settings.",
    discussion: "Each option changes one part of the profile. The other parts stay the same.")

  @OptionGroup var changes: ProfileChanges

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let store = try changes.isEmpty ? store.openExisting() : store.openOrMake()
    let calendar = store.clock.calendar()
    let (profile, streak) = try await Terminal.reporting {
      let library = try StoryLibrary(store)
      if !changes.isEmpty { try await library.updateProfile(changes.edit(in: calendar)) }
      return (try await library.profile(), try await library.currentStreak())
    }
    if json { return try Output.printJSON(profile) }
    for field in ProfileField.allCases {
      let value = field.text(of: profile, in: calendar)
      if !value.isEmpty { print(Terminal.line("\(field.label): \(value)")) }
    }
    print("Days in a row: \(streak)")
  }
}
