public import OpenObjectModel

/// The requirements that every store must meet, as checks that need no test framework.
///
/// Run all checks in the tests of a store:
///
///     @Test("the store conforms", arguments: StoreConformance.checks)
///     func conforms(_ check: StoreConformance.Check) throws { try check.run(store) }
public enum StoreConformance {
  /// All checks, in a suitable order for developing a new store.
  public static let checks: [Check] =
    roundTripChecks + commitChecks + keyChecks + filterChecks + listChecks + textChecks
    + relationshipFilterChecks + functionChecks + sortChecks + fetchChecks + relationshipChecks
    + constraintChecks + referenceChecks + deletionChecks + batchChecks + historyChecks + lifeChecks
    + concurrencyChecks

  /// Returns the model that the checks use, for stores that must prepare a schema.
  ///
  /// - Throws: `ModelError` if the model is invalid.
  public static func model() throws -> CompiledModel { try ConformanceSchema.shared().model }
}
