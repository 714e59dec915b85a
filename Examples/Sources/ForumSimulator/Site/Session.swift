/// The session of a request: the account named by its two login cookies.
struct Session {
  static let userCookie = "bbuserid"
  static let passwordCookie = "bbpassword"

  /// The headers that make a client delete both cookies.
  static let removal = [userCookie, passwordCookie].map { name in
    SiteResponse.Header(
      "Set-Cookie",
      "\(name)=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; path=/; HttpOnly")
  }

  let user: SiteUser?
  /// Whether the request has cookies that are no longer valid.
  let isStale: Bool

  init(request: SiteRequest, state: SiteState) {
    guard let cookie = request.cookies[Self.userCookie] else {
      user = nil
      isStale = false
      return
    }
    let named = Int(cookie).flatMap { state.user($0) }
    let isValid = named.map {
      request.cookies[Self.passwordCookie] == Self.token(of: $0.id, state: state)
    }
    user = isValid == true ? named : nil
    isStale = isValid != true
  }

  /// Returns the headers that log a client in until the year 2037.
  static func cookies(for user: SiteUser, state: SiteState) -> [SiteResponse.Header] {
    [(userCookie, "\(user.id)"), (passwordCookie, token(of: user.id, state: state))].map {
      SiteResponse.Header(
        "Set-Cookie", "\($0)=\($1); expires=Thu, 31-Dec-2037 00:00:00 GMT; path=/; HttpOnly")
    }
  }

  private static func token(of userID: Int, state: SiteState) -> String {
    let number = UInt64(state.readers[userID]?.sessionNumber ?? 0)
    var random = SplitMix64(seed: state.seed &+ UInt64(userID) &* 977 &+ number)
    return String(random.next(), radix: 16)
  }
}
