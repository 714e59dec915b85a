public import OpenObjectModel

/// The checks that every store must pass.
///
/// The checks do not depend on a test framework. Run all checks in the tests of a store. In this
/// example, `store` is a ``StoreUnderTest`` that opens a new, empty store for each check:
///
///     @Test("the store conforms", arguments: StoreConformance.checks)
///     func conforms(_ check: StoreConformance.Check) throws { try check.run(store) }
public enum StoreConformance {
  /// All checks, in an order that is suitable for developing a new store.
  public static let checks: [Check] =
    roundTripChecks + commitChecks + keyChecks + filterChecks + listChecks + textChecks
    + relationshipFilterChecks + functionChecks + sortChecks + fetchChecks + Check.relationships
    + constraintChecks + referenceChecks + deletionChecks + batchChecks + historyChecks + lifeChecks
    + concurrencyChecks

  /// Returns the model that the checks use, so that a test can prepare a schema for the store.
  ///
  /// - Throws: `ModelError` if the model is invalid, which indicates a defect in the library.
  public static func model() throws -> CompiledModel { try ConformanceSchema.shared().model }
}
