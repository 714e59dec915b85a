public import Foundation

extension ResultsObserver where SectionTitle == Never {
  /// Creates an observer without sections.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, the sort order and the limits of the fetch.
  ///   - modelContext: The context that fetches the models.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  /// > Reference: Apple, init(fetchDescriptor:modelContext:isolation:).
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, sectionBy: nil, modelContext, isolation) { _ in nil }
  }

  /// Creates an observer without sections in a new context.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, the sort order and the limits of the fetch.
  ///   - modelContainer: The container of the new context.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  /// > Reference: Apple, init(fetchDescriptor:modelContainer:isolation:).
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, sectionBy: nil, ModelContext(modelContainer), isolation
    ) { _ in nil }
  }

  /// Creates an observer without sections. The observer fetches the models that match a predicate.
  ///
  /// - Parameters:
  ///   - filterBy: The condition that models must satisfy; `nil` for all models.
  ///   - sortBy: The sort order; empty for no particular order.
  ///   - modelContext: The context that fetches the models.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  /// > Reference: Apple, init(filterBy:sortBy:modelContext:isolation:).
  @_disfavoredOverload
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>] = [],
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy), sectionBy: nil, modelContext, isolation
    ) { _ in nil }
  }

  /// Creates an observer without sections in a new context. The observer fetches the models that
  /// match a predicate.
  ///
  /// - Parameters:
  ///   - filterBy: The condition that models must satisfy; `nil` for all models.
  ///   - sortBy: The sort order; empty for no particular order.
  ///   - modelContainer: The container of the new context.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  /// > Reference: Apple, init(filterBy:sortBy:modelContainer:isolation:).
  @_disfavoredOverload
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>] = [],
    modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy), sectionBy: nil,
      ModelContext(modelContainer), isolation
    ) { _ in nil }
  }
}

extension ResultsObserver where SectionTitle == String {
  /// Creates an observer with one section for each value of a property.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, the limits, and the sort order of the models within each
  ///     section.
  ///   - sectionBy: The property whose values are the titles of the sections. The sections are in
  ///     ascending order of their titles, unless the first sort descriptor sorts by this property.
  ///   - modelContext: The context that fetches the models.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`
  ///   if the property is not stored.
  /// > Reference: Apple, init(fetchDescriptor:sectionBy:modelContext:isolation:).
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, String>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, sectionBy: sectionBy, modelContext, isolation) { $0 }
  }

  /// Creates an observer with one section for each value of an optional property.
  ///
  /// The section with the title `""` contains the models whose value is `nil` and the models whose
  /// value is an empty string.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, the limits, and the sort order of the models within each
  ///     section.
  ///   - sectionBy: The property whose values are the titles of the sections. The sections are in
  ///     ascending order of their titles, unless the first sort descriptor sorts by this property.
  ///   - modelContext: The context that fetches the models.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`
  ///   if the property is not stored.
  /// > Reference: Apple, init(fetchDescriptor:sectionBy:modelContext:isolation:).
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, sectionBy: sectionBy, modelContext, isolation) { $0 }
  }

  /// Creates an observer in a new context, with one section for each value of a property.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, the limits, and the sort order of the models within each
  ///     section.
  ///   - sectionBy: The property whose values are the titles of the sections. The sections are in
  ///     ascending order of their titles, unless the first sort descriptor sorts by this property.
  ///   - modelContainer: The container of the new context.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`
  ///   if the property is not stored.
  /// > Reference: Apple, init(fetchDescriptor:sectionBy:modelContainer:isolation:).
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, String>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, sectionBy: sectionBy, ModelContext(modelContainer), isolation
    ) { $0 }
  }

  /// Creates an observer in a new context, with one section for each value of an optional property.
  ///
  /// The section with the title `""` contains the models whose value is `nil` and the models whose
  /// value is an empty string.
  ///
  /// - Parameters:
  ///   - fetchDescriptor: The predicate, the limits, and the sort order of the models within each
  ///     section.
  ///   - sectionBy: The property whose values are the titles of the sections. The sections are in
  ///     ascending order of their titles, unless the first sort descriptor sorts by this property.
  ///   - modelContainer: The container of the new context.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`
  ///   if the property is not stored.
  /// > Reference: Apple, init(fetchDescriptor:sectionBy:modelContainer:isolation:).
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      fetchDescriptor, sectionBy: sectionBy, ModelContext(modelContainer), isolation
    ) { $0 }
  }

  /// Creates an observer with one section for each value of a property. The observer fetches the
  /// models that match a predicate.
  ///
  /// - Parameters:
  ///   - filterBy: The condition that models must satisfy; `nil` for all models.
  ///   - sortBy: The sort order of the models within each section; empty for no particular order.
  ///   - sectionBy: The property whose values are the titles of the sections. The sections are in
  ///     ascending order of their titles, unless the first sort descriptor sorts by this property.
  ///   - modelContext: The context that fetches the models.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`
  ///   if the property is not stored.
  /// > Reference: Apple, init(filterBy:sortBy:sectionBy:modelContext:isolation:).
  @_disfavoredOverload
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>] = [],
    sectionBy: KeyPath<Element, String>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy), sectionBy: sectionBy, modelContext,
      isolation
    ) { $0 }
  }

  /// Creates an observer with one section for each value of an optional property. The observer
  /// fetches the models that match a predicate.
  ///
  /// The section with the title `""` contains the models whose value is `nil` and the models whose
  /// value is an empty string.
  ///
  /// - Parameters:
  ///   - filterBy: The condition that models must satisfy; `nil` for all models.
  ///   - sortBy: The sort order of the models within each section; empty for no particular order.
  ///   - sectionBy: The property whose values are the titles of the sections. The sections are in
  ///     ascending order of their titles, unless the first sort descriptor sorts by this property.
  ///   - modelContext: The context that fetches the models.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`
  ///   if the property is not stored.
  /// > Reference: Apple, init(filterBy:sortBy:sectionBy:modelContext:isolation:).
  @_disfavoredOverload
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>] = [],
    sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy), sectionBy: sectionBy, modelContext,
      isolation
    ) { $0 }
  }

  /// Creates an observer in a new context, with one section for each value of a property. The
  /// observer fetches the models that match a predicate.
  ///
  /// - Parameters:
  ///   - filterBy: The condition that models must satisfy; `nil` for all models.
  ///   - sortBy: The sort order of the models within each section; empty for no particular order.
  ///   - sectionBy: The property whose values are the titles of the sections. The sections are in
  ///     ascending order of their titles, unless the first sort descriptor sorts by this property.
  ///   - modelContainer: The container of the new context.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`
  ///   if the property is not stored.
  /// > Reference: Apple, init(filterBy:sortBy:sectionBy:modelContainer:isolation:).
  @_disfavoredOverload
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>] = [],
    sectionBy: KeyPath<Element, String>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy), sectionBy: sectionBy,
      ModelContext(modelContainer), isolation
    ) { $0 }
  }

  /// Creates an observer in a new context, with one section for each value of an optional property.
  /// The observer fetches the models that match a predicate.
  ///
  /// The section with the title `""` contains the models whose value is `nil` and the models whose
  /// value is an empty string.
  ///
  /// - Parameters:
  ///   - filterBy: The condition that models must satisfy; `nil` for all models.
  ///   - sortBy: The sort order of the models within each section; empty for no particular order.
  ///   - sectionBy: The property whose values are the titles of the sections. The sections are in
  ///     ascending order of their titles, unless the first sort descriptor sorts by this property.
  ///   - modelContainer: The container of the new context.
  ///   - isolation: The actor on which the observer merges and reports saves of other contexts. If
  ///     the value is `nil`, the observer merges these saves only when a caller reads the results.
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath`
  ///   if the property is not stored.
  /// > Reference: Apple, init(filterBy:sortBy:sectionBy:modelContainer:isolation:).
  @_disfavoredOverload
  public convenience init(
    filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>] = [],
    sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(
      FetchDescriptor(predicate: filterBy, sortBy: sortBy), sectionBy: sectionBy,
      ModelContext(modelContainer), isolation
    ) { $0 }
  }
}
