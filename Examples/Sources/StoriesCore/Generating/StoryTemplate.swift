/// The sentences for stories of one theme. Placeholders in braces are filled with names.
struct StoryTemplate: Sendable {
  let titles: [String]
  let places: [String]
  let things: [String]
  let openings: [String]
  let problems: [String]
  let attempts: [String]
  let turns: [String]
  let endings: [String]

  static func of(_ theme: StoryTheme) -> StoryTemplate {
    switch theme {
    case .adventure: adventure
    case .friendship: friendship
    case .courage: courage
    case .kindness: kindness
    case .curiosity: curiosity
    case .bedtime: bedtime
    }
  }

  // MARK: For all themes

  static let companions = [
    "Pip the sparrow", "Juniper the fox", "Old Tom the tortoise", "Biscuit the dog",
    "Marigold the goat", "Moss the hedgehog",
  ]
  static let interests = ["old maps", "the stars", "building things", "songs", "animals"]
  static let helpers = [
    "the baker", "the lighthouse keeper", "the librarian", "the ferryman", "the clockmaker",
    "the gardener",
  ]
  static let weathers = [
    "bright and windy", "still and silver with mist", "warm and full of bees",
    "cold enough to see your breath", "washed clean by the rain",
  ]
  static let snacks = [
    "two apples", "a bag of cherries", "a piece of cheese", "warm bread with honey",
    "a handful of nuts",
  ]
  static let likings = [
    "{hero} loved {interest} more than anything, and could talk about it from breakfast until bedtime. {friend} always listened, and sometimes even asked a question.",
    "If you had asked anyone in town, they would have told you two things: {hero} loved {interest}, and {hero} and {friend} were never far apart.",
    "On the shelf above {hero}'s bed there was hardly any room left, because everything on it had to do with {interest}. {friend} had helped to collect most of it.",
  ]
  static let rests = [
    "They sat down on a flat stone and shared {snack}. For a while nobody said anything. It was the good kind of quiet, the kind that makes room for an idea.",
    "“Let us stop for a moment,” said {friend}. So they stopped, and ate {snack}, and watched the clouds change from ships into sheep.",
    "{hero} yawned, and {friend} yawned too, because yawns are catching. They shared {snack} and felt much better.",
  ]

  static func closings(for ageGroup: AgeGroup) -> [String] {
    switch ageGroup {
    case .threeToFive:
      ["And that was a very good day.", "Then it was time for supper. The end."]
    case .sixToEight, .allAges:
      [
        "And if you go there on a quiet evening, you may still hear them laughing.",
        "That night {hero} fell asleep with a smile, and dreamed of what might happen next.",
      ]
    case .nineToTwelve:
      [
        "Later, {hero} wrote all of it down, so that not one bit of it would be lost. You have just read it.",
        "Some days change only a little thing inside you. {hero} knew that this had been one of them.",
      ]
    }
  }
}
