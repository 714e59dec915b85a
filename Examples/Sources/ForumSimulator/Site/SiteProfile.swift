/// The information about a member, generated from the member's id and therefore not stored.
struct SiteProfile: Sendable, Hashable {
  let gender: String?
  /// The text about the member, in plain text; empty if there is none.
  let about: String
  let icq: String
  let homepage: String?
  let hasPicture: Bool
  let location: String
  let interests: String
  let occupation: String

  init(of user: SiteUser) {
    var random = SplitMix64(seed: UInt64(user.id) ^ 0x7072_6F66)
    var maker = TextMaker(seed: random.next())
    gender = random.pick([nil, "male", "female", "porpoise"], or: nil)
    about = random.happens(percent: 60) ? maker.sentence() : ""
    icq = random.happens(percent: 20) ? "\(random.next(in: 100_000...9_999_999))" : ""
    homepage = random.happens(percent: 30) ? "https://\(user.id).lamplight.example/?a=1&b=2" : nil
    hasPicture = random.happens(percent: 30)
    location = random.happens(percent: 70) ? random.word(WordLists.places) : ""
    interests = random.happens(percent: 40) ? random.word(WordLists.things) : ""
    occupation = random.happens(percent: 40) ? "Keeper of \(random.word(WordLists.creatures))s" : ""
  }
}
