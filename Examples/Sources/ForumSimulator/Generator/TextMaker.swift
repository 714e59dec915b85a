/// Writes the titles, names and posts of the generated site from templates.
///
/// Owned by the generator and by the pages; each instance writes one text and stores no state of the site.
struct TextMaker {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Returns a name such as "brass otter" or "Gentle Kettle 41".
  mutating func userName() -> String {
    let adjective = random.word(WordLists.adjectives)
    let creature = random.word(WordLists.creatures)
    switch random.next(below: 5) {
    case 0: return "\(adjective) \(creature)"
    case 1: return "\(Self.titled(adjective)) \(Self.titled(creature))"
    case 2: return "\(creature)_\(random.next(in: 2...99))"
    case 3: return "Señor \(Self.titled(creature))"
    default: return "\(adjective)\(creature)\(random.next(in: 10...999))"
    }
  }

  /// Returns the title of a thread, in plain text; some titles contain characters that pages must escape.
  mutating func threadTitle() -> String {
    let thing = random.word(WordLists.things)
    let adjective = random.word(WordLists.adjectives)
    let place = random.word(WordLists.places)
    switch random.next(below: 8) {
    case 0: return "Has anyone \(random.word(WordLists.verbs)) a \(adjective) \(thing)?"
    case 1: return "The \(thing) thread: \(adjective) & proud of it"
    case 2: return "Show me your \(thing) \u{2192} the picture thread"
    case 3: return "[\(adjective)] A \(thing) from \(place)"
    case 4: return "\u{201C}Never trust a \(adjective) \(thing)\u{201D} \u{2013} stories"
    case 5: return "\(Self.titled(thing)) < 100 coins, what to buy?"
    case 6: return "Winter project \u{2603}: my \(adjective) \(thing)"
    default: return "I \(random.word(WordLists.verbs)) a \(thing) at \(place)"
    }
  }

  /// Returns one sentence, in plain text.
  mutating func sentence() -> String {
    let thing = random.word(WordLists.things)
    let adjective = random.word(WordLists.adjectives)
    let verb = random.word(WordLists.verbs)
    let place = random.word(WordLists.places)
    let number = random.next(in: 2...60)
    switch random.next(below: 9) {
    case 0: return "I \(verb) the \(thing) at \(place) and it took \(number) minutes."
    case 1: return "A \(adjective) \(thing) is worth more than \(number) new ones."
    case 2: return "Has anybody \(verb) one of these at \(place)?"
    case 3: return "My \(thing) is \(adjective) again, about \(number)\u{A0}% of the time."
    case 4: return "That\u{2019}s the best \(thing) I have seen since \(place)."
    case 5: return "Measure twice: \(number) < \(number + 3) & rising."
    case 6: return "You need a \(adjective) \(thing), \(number) screws and some patience\u{2026}"
    case 7: return "The trick is to keep the \(thing) \(adjective) \u{2014} ask anyone at \(place)."
    default: return "It was \(verb) by a \(adjective) \(random.word(WordLists.creatures))."
    }
  }

  /// Returns several paragraphs of sentences, in plain text.
  mutating func paragraphs() -> [String] {
    let count = random.happens(percent: 70) ? 1 : random.next(in: 2...4)
    return (0..<count).map { _ in
      (0..<random.next(in: 1...4)).map { _ in sentence() }.joined(separator: " ")
    }
  }

  mutating func tagline() -> String {
    "Keeper of the \(random.word(WordLists.adjectives)) \(random.word(WordLists.things))"
  }

  /// Returns a phrase with an uppercase first letter.
  private static func titled(_ phrase: String) -> String {
    phrase.prefix(1).uppercased() + phrase.dropFirst()
  }
}
