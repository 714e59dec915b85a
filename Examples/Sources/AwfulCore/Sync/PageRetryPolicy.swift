import ForumClient
import ForumHTML
import ForumScraping

/// How often and after which pauses a page is asked for again when the trouble may pass.
public struct PageRetryPolicy: Sendable {
  /// The number of times a page is asked for.
  public let attemptLimit: Int
  /// The pause before the second time; it doubles from then on.
  public let firstPause: Duration
  /// The longest pause, also when the site asks for a longer one.
  public let longestPause: Duration

  /// Four times, with pauses of one, two and four seconds.
  public static let standard = PageRetryPolicy(
    attemptLimit: 4, firstPause: .seconds(1), longestPause: .seconds(60))

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - attemptLimit: The number of times a page is asked for, at least 1.
  ///   - firstPause: The pause before the second time.
  ///   - longestPause: The longest pause.
  public init(attemptLimit: Int, firstPause: Duration, longestPause: Duration) {
    self.attemptLimit = max(1, attemptLimit)
    self.firstPause = firstPause
    self.longestPause = longestPause
  }

  /// The pause before the next attempt; nil when there is none.
  ///
  /// A site that asks for more than the longest pause is not asked again, because it would refuse.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt that failed, from 1.
  ///   - error: Why it failed; the site may ask for a pause.
  func pause(after attempt: Int, _ error: any Error) -> Duration? {
    guard attempt < attemptLimit, Self.isTransient(error) else { return nil }
    var pause = firstPause
    for _ in 1..<max(attempt, 1) where pause < longestPause { pause *= 2 }
    pause = min(pause, longestPause)
    guard let asked = (error as? ClientError)?.retryAfterInSeconds else { return pause }
    return .seconds(asked) > longestPause ? nil : max(pause, .seconds(asked))
  }

  /// Whether the same request may well succeed later.
  static func isTransient(_ error: any Error) -> Bool {
    switch error {
    case let error as ClientError: error.isTransient
    case let error as ForumErrorPage: error.kind == .databaseUnavailable
    case let error as PageError: error.code == .empty || error.code == .truncated
    default: false
    }
  }
}
