public import ArgumentParser
import CommandParts
import Foundation
public import StoriesCore
import WebPages

extension StoryTheme: ExpressibleByArgument {}
extension StoryLength: ExpressibleByArgument {}
extension StoryOrder: ExpressibleByArgument {}
extension DarkModePreference: ExpressibleByArgument {}

extension AgeGroup: ExpressibleByArgument {
  private static let names: [(name: String, group: AgeGroup)] = [
    ("3-5", .threeToFive), ("6-8", .sixToEight), ("9-12", .nineToTwelve), ("all", .allAges),
  ]

  /// Parses an age group: the ages in years, or `all`.
  public init?(argument: String) {
    guard let known = Self.names.first(where: { $0.name == argument }) else { return nil }
    self = known.group
  }

  /// The texts of all age groups, for the help.
  public static var allValueStrings: [String] { names.map(\.name) }

  /// The text of the age group, for the help.
  public var defaultValueDescription: String {
    Self.names.first { $0.group == self }?.name ?? "\(rawValue)"
  }
}

/// Generates a story from templates.
struct New: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Create a story from templates.")

  @OptionGroup var store: StoreOptions

  @Option(help: "The child's name. If omitted, the name in the profile is used.")
  var name: String?

  @Option(
    help: "The theme of the story. If omitted, the first theme in the profile, or adventure.")
  var theme: StoryTheme?

  @Option(help: "The length of the story.")
  var length = StoryLength.medium

  @Option(help: "The age of the child, in years. If omitted, the age in the profile, or 6-8.")
  var age: AgeGroup?

  @Option(help: "The seed. The same seed produces the same story.")
  var seed: UInt64?

  func run() async throws {
    let store = try store.openOrMake()
    try await Terminal.reporting {
      let library = try StoryLibrary(store)
      var request = StoryRequest(
        try await library.profile(), at: store.clock.now(), in: store.clock.calendar(),
        ageGroup: age, theme: theme, length: length)
      if let name { request.childName = name }
      let text = StoryGenerator().story(for: request, seed: seed ?? .random(in: 0...UInt64.max))
      let child = request.childName
      let story = try await library.add(text, childName: child.isEmpty ? nil : child)
      print(Terminal.line("\(story.id.uuidString)  \(story.title)"))
    }
  }
}

/// Shows the stories.
struct List: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the stories.")

  @OptionGroup var store: StoreOptions

  @Option(help: "Show only stories with these words.")
  var search = ""

  @Option(help: "Show only stories in this category.")
  var category: String?

  @Option(help: "Show only stories for this age, in years.")
  var age: AgeGroup?

  @Flag(help: "Show only favorites.")
  var favourites = false

  @Option(help: "The sort order.")
  var sort = StoryOrder.newest

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let store = try store.openExisting()
    var query = StoryQuery()
    query.search = search
    query.theme = category
    query.ageGroup = age
    query.favoritesOnly = favourites
    query.order = sort
    let wanted = query
    let rows = try await Terminal.reporting { try await StoryLibrary(store).rows(wanted) }
    if json { return try Output.printJSON(rows) }
    for row in rows { print(Self.line(row)) }
    print(Wording.count(rows.count, "story", plural: "stories"))
  }

  private static func line(_ row: StoryRow) -> String {
    let mark = row.isFavorite ? " [favorite]" : ""
    let facts = [row.theme, "read \(Wording.count(row.readCount, "time"))"]
    let content = facts.filter { !$0.isEmpty }.joined(separator: ", ")
    return Terminal.line("\(row.id.uuidString)  \(row.title)\(mark) (\(content))")
  }
}
