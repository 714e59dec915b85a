import AwfulCore
import Testing

/// Limits of a policy's numbers.
@Suite("Retry policy")
struct PageRetryPolicyTests {
  @Test("a page is requested at least once")
  func attempts() {
    let policy = PageRetryPolicy(attemptLimit: -3, firstPause: .zero, longestPause: .zero)
    #expect(policy.attemptLimit == 1)
  }
}
