import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// A suite that `make test` runs by itself.
  ///
  /// Beside all other suites, containers that other tests have left stay open, so that migrations wait for them. The cause is not
  /// known yet.
  static var apart: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["OPENCOREDATA_APART"] != nil,
      "make test runs this suite by itself.")
  }
}
