/// A collection of the sections of an observer's results.
///
/// > Concurrency: Confined to the actor or task that uses the context of the models.
/// > Reference: Apple, SectionedResults.
public struct SectionedResults<Element: PersistentModel, SectionTitle: Hashable>:
  RandomAccessCollection
{
  private let sections: [ResultsSection<Element, SectionTitle>]
  private let places: [SectionTitle: Int]

  init(_ sections: [ResultsSection<Element, SectionTitle>]) {
    self.sections = sections
    places = Dictionary(
      sections.enumerated().map { ($1.title, $0) }, uniquingKeysWith: { first, _ in first })
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { sections.count }
  public subscript(index: Int) -> ResultsSection<Element, SectionTitle> { sections[index] }

  /// The titles of the sections, in the order of the sections.
  public var sectionTitles: [SectionTitle] { sections.map(\.title) }

  /// The section with the given title; `nil` if no section has the title.
  ///
  /// - Complexity: O(1).
  public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
    places[title].map { sections[$0] }
  }

  /// Returns whether a section has the given title.
  ///
  /// - Complexity: O(1).
  public func contains(sectionTitle title: SectionTitle) -> Bool { places[title] != nil }

  /// Returns the index of the section with the given title; `nil` if no section has the title.
  ///
  /// - Complexity: O(1).
  public func index(ofSectionTitled title: SectionTitle) -> Int? { places[title] }
}

/// A collection of the models in one section of an observer's results.
///
/// > Concurrency: Confined to the actor or task that uses the context of the models.
/// > Reference: Apple, ResultsSection.
public struct ResultsSection<Element: PersistentModel, SectionTitle: Hashable>:
  RandomAccessCollection, Identifiable
{
  /// The title of the section. All models in the section have this value at the key path
  /// ``ResultsObserver/sectionBy``. If the title is an empty string, the value may also be `nil`.
  public let title: SectionTitle
  private let elements: [Element]

  init(_ title: SectionTitle, _ elements: [Element]) {
    self.title = title
    self.elements = elements
  }

  public var id: SectionTitle { title }
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(index: Int) -> Element { elements[index] }
}
