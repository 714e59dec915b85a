extension StoreConformance {
  /// A check of one behavior that every store must have.
  public struct Check: Sendable, CustomStringConvertible {
    /// A sentence that describes the behavior.
    public let name: String
    private let body: @Sendable (StoreTrial) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreTrial) throws -> Void) {
      self.name = name
      self.body = body
    }

    public var description: String { name }

    /// Runs the check on a newly opened store.
    ///
    /// - Parameter store: The store to check.
    /// - Throws: `ConformanceFailure` if the store does not have the behavior or throws an error.
    public func run(_ store: StoreUnderTest) throws {
      do {
        let trial = try StoreTrial(store)
        defer { trial.close() }
        try body(trial)
      } catch var failure as ConformanceFailure {
        failure.check = name
        failure.store = store.name
        throw failure
      } catch {
        throw ConformanceFailure(
          "The store threw an error.", expected: "no error", actual: "\(error)", check: name,
          store: store.name)
      }
    }
  }
}
