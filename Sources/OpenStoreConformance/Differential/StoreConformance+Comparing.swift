extension StoreConformance {
  /// Edits two stores in the same random way and requires the same rows from both, for random
  /// plans.
  ///
  /// - Parameters:
  ///   - seed: The seed of every edit and plan; a failure contains it, so it can be repeated.
  ///   - edits: The number of commits; plans run after every few of them.
  /// - Throws: `ConformanceFailure` on the first difference.
  public static func compare(
    seed: UInt64, edits: Int, _ one: StoreUnderTest, _ other: StoreUnderTest
  ) throws {
    var step = 0
    do {
      var comparison = try StoreComparison(seed: seed, one, other)
      defer { comparison.close() }
      while step < edits {
        try comparison.edit()
        step += 1
        if step.isMultiple(of: 5) { try comparison.runPlans(count: 5) }
      }
      try comparison.compareEverything()
    } catch {
      throw ConformanceFailure(
        "\(one.name) and \(other.name) differ with seed \(seed) after \(step) edits.",
        expected: (error as? ConformanceFailure)?.expected ?? "no error",
        actual: (error as? ConformanceFailure).map { "\($0.actual)\n  \($0.message)" } ?? "\(error)"
      )
    }
  }
}
