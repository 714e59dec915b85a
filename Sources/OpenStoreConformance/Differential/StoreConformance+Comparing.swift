extension StoreConformance {
  /// Applies the same random edits to two stores and compares the results of random plans.
  ///
  /// - Parameters:
  ///   - seed: The seed of all edits and plans. The error contains the seed, which reproduces the
  ///     failure.
  ///   - edits: The number of commits. After every fifth commit, the method runs five plans on both
  ///     stores. At the end, the method compares all contents. For 0 or less, there are no commits.
  ///   - one: The first store.
  ///   - other: The second store.
  /// - Throws: ``ConformanceFailure`` for the first difference, or if a store throws an error.
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
