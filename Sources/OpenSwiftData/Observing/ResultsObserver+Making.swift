public import Foundation

extension ResultsObserver where SectionTitle == Never {
  /// Creates an observer without sections.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``.
  /// > Reference: Apple, init(fetchDescriptor:modelContext:isolation:).
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, sectionBy: nil, modelContext, isolation) { _ in nil }
  }

  /// Creates an observer without sections, in a new context.
  ///
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

  /// Creates an observer without sections for a filter and a sort order.
  ///
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

  /// Creates an observer without sections for a filter and a sort order, in a new context.
  ///
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
  /// Creates an observer with a section for each value of a property.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath` for a property that
  ///   is not stored.
  /// > Reference: Apple, init(fetchDescriptor:sectionBy:modelContext:isolation:).
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, String>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, sectionBy: sectionBy, modelContext, isolation) { $0 }
  }

  /// Creates an observer with a section for each value of a property; nil and the empty string are in one section.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath` for a property that
  ///   is not stored.
  /// > Reference: Apple, init(fetchDescriptor:sectionBy:modelContext:isolation:).
  public convenience init(
    fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(),
    sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
    isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(fetchDescriptor, sectionBy: sectionBy, modelContext, isolation) { $0 }
  }

  /// Creates an observer with a section for each value of a property, in a new context.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath` for a property that
  ///   is not stored.
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

  /// Creates an observer with a section for each value of a property, in a new context; nil and the empty string are in one section.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath` for a property that
  ///   is not stored.
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

  /// Creates an observer with sections for a filter and a sort order.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath` for a property that
  ///   is not stored.
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

  /// Creates an observer with sections for a filter and a sort order; nil and the empty string are in one section.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath` for a property that
  ///   is not stored.
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

  /// Creates an observer with sections for a filter and a sort order, in a new context.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath` for a property that
  ///   is not stored.
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

  /// Creates an observer with sections for a filter and a sort order, in a new context; nil and the empty string are in one section.
  ///
  /// - Throws: The same errors as ``ModelContext/fetch(_:)``; `SwiftDataError.unsupportedKeyPath` for a property that
  ///   is not stored.
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
