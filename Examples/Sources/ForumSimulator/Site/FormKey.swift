/// The two hidden values with which the site recognizes its own forms.
enum FormKey {
  /// Returns a key that stays the same during a session of the account.
  static func key(of userID: Int, in state: SiteState) -> String {
    let session = UInt64(state.readers[userID]?.sessionNumber ?? 0)
    var random = SplitMix64(seed: state.seed &+ UInt64(userID) &* 1_009 &+ session)
    return digits(random.next()) + digits(random.next())
  }

  /// Returns a value that changes with the site's time and revision.
  static func cookie(of address: String, in state: SiteState) -> String {
    let start = address.utf8.reduce(UInt64(state.revision)) { $0 &* 31 &+ UInt64($1) }
    var random = SplitMix64(seed: state.seed ^ start &+ UInt64(max(state.clock, 0)))
    return String(digits(random.next()).prefix(12))
  }

  private static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
