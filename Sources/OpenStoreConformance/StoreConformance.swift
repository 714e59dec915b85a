public import OpenObjectModel

/// The requirements of every store, as checks that need no test framework.
///
/// Run all of them in the tests of a store:
///
///     @Test("the store conforms", arguments: StoreConformance.checks)
///     func conforms(_ check: StoreConformance.Check) throws { try check.run(store) }
public enum StoreConformance {
  /// Every check, in the best order for developing a new store.
  public static let checks: [Check] =
    roundTripChecks + commitChecks + keyChecks + filterChecks + listChecks + textChecks
    + relationshipFilterChecks + functionChecks + sortChecks + fetchChecks + relationshipChecks
    + constraintChecks + referenceChecks + deletionChecks + batchChecks + historyChecks + lifeChecks
    + concurrencyChecks

  /// The model that the checks use, for stores that must prepare a schema for it.
  ///
  /// - Returns: The model.
  /// - Throws: `ModelError` if the model is invalid.
  public static func model() throws -> CompiledModel { try ConformanceSchema.shared().model }
}
