internal import OpenObjectGraph

extension ModelContext {
  /// Executes a request, and converts the error of a predicate or an order that is not supported.
  ///
  /// - Parameters:
  ///   - request: The request of a fetch descriptor.
  ///   - work: A closure that executes the request.
  /// - Returns: The result of the closure.
  /// - Throws: `SwiftDataError.unsupportedPredicate` or `.unsupportedSortDescriptor` if a part of
  ///   the request is not supported; otherwise the error of the closure.
  func executing<Element: NSFetchRequestResult, Result>(
    _ request: NSFetchRequest<Element>, _ work: (NSFetchRequest<Element>) throws -> Result
  ) throws -> Result {
    do {
      return try work(request)
    } catch {
      guard let part = UnsupportedPart.part(of: request, causing: error, in: graph) else {
        throw error
      }
      throw SwiftDataError(part, of: request.entityName ?? "", error)
    }
  }
}

extension SwiftDataError {
  /// Creates the error of a fetch with a part that is not supported.
  fileprivate init(_ part: UnsupportedPart, of entityName: String, _ cause: any Error) {
    switch part {
    case .predicate:
      self.init(
        .unsupportedPredicate,
        "The predicate on \(entityName) contains a condition that the fetch does not support. Test a to-many relationship "
          + "with contains, allSatisfy, filter, count or isEmpty, or fetch without the condition and filter the models.",
        cause)
    case .order:
      self.init(
        .unsupportedSortDescriptor,
        "A sort descriptor of \(entityName) is not supported. Sort by a stored property, or sort the fetched models.",
        cause)
    }
  }
}
