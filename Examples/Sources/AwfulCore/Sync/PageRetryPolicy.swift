import ForumClient
import ForumHTML
import ForumScraping

/// The number of attempts to fetch a page, and the pauses between them, for transient errors.
public struct PageRetryPolicy: Sendable {
  /// The maximum number of attempts.
  public let attemptLimit: Int
  /// The pause before the second attempt. It doubles with each further attempt.
  public let firstPause: Duration
  /// The longest pause, even if the site asks for a longer one.
  public let longestPause: Duration

  /// Four attempts, with pauses of one, two and four seconds.
  public static let standard = PageRetryPolicy(
    attemptLimit: 4, firstPause: .seconds(1), longestPause: .seconds(60))

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - attemptLimit: The maximum number of attempts, at least 1.
  ///   - firstPause: The pause before the second attempt.
  ///   - longestPause: The longest pause.
  public init(attemptLimit: Int, firstPause: Duration, longestPause: Duration) {
    self.attemptLimit = max(1, attemptLimit)
    self.firstPause = firstPause
    self.longestPause = longestPause
  }

  /// Returns the pause before the next attempt, or nil if there is none.
  ///
  /// If the site asks for more than the longest pause, the page is not requested again, because the site would refuse it.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt that failed, starting at 1.
  ///   - error: The error of the attempt.
  ///   - asked: The pause that the site asks for, in seconds; nil for none.
  func pause(after attempt: Int, _ error: any Error, atLeast asked: Int?) -> Duration? {
    guard attempt < attemptLimit, Self.isTransient(error) else { return nil }
    var pause = firstPause
    for _ in 1..<max(attempt, 1) where pause < longestPause { pause *= 2 }
    pause = min(pause, longestPause)
    guard let asked else { return pause }
    return .seconds(asked) > longestPause ? nil : max(pause, .seconds(asked))
  }

  /// Returns whether the same request may succeed later.
  static func isTransient(_ error: any Error) -> Bool {
    switch error {
    case let error as ClientError: error.isTransient
    case let error as ForumErrorPage: error.kind == .databaseUnavailable
    case let error as PageError: error.code == .empty || error.code == .truncated
    default: false
    }
  }
}
