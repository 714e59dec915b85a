internal import Foundation
internal import OpenPredicates

extension ModelArchiveWriter {
  /// Returns the entries that only derived attributes have.
  mutating func derivedEntries(
    _ attribute: NSDerivedAttributeDescription
  ) throws(ModelError) -> [Entry] {
    var expression = KeyedArchiveWriter.null
    if let node = attribute.derivationExpression?.node { expression = try archive.add(node) }
    let condition = try archive.add(attribute.filteringPredicate)
    return [
      ("NSDerivationExpression", .reference(expression)),
      ("NSFilteringPredicate", .reference(condition)),
    ]
  }

  /// Returns the entries that only fetched properties have.
  mutating func fetchedEntries(
    _ property: NSFetchedPropertyDescription
  ) throws(ModelError) -> [Entry] {
    guard let template = property.template else { return [] }
    let request = try write(template)
    return [
      ("NSFetchRequest", .reference(request)),
      ("_NSFetchRequestEntityName", .reference(archive.add(template.entityName))),
    ]
  }

  /// Writes the fetch request templates of the model and returns their reference, which is null if
  /// there are none.
  mutating func writeTemplates(of model: NSManagedObjectModel) throws(ModelError) -> Int {
    if model.fetchTemplates.isEmpty { return KeyedArchiveWriter.null }
    var entries: [(key: Int, value: Int)] = []
    for (name, template) in model.fetchTemplates.sorted(by: { $0.key < $1.key }) {
      let key = archive.add(name)
      entries.append((key: key, value: try write(template)))
    }
    return archive.add("NSMutableDictionary", entries)
  }

  /// Writes a fetch request and returns its reference.
  private mutating func write(_ template: FetchTemplate) throws(ModelError) -> Int {
    let condition = try archive.add(template.predicate)
    let order = write(template.sortKeys)
    let null = KeyedArchiveWriter.Entry.reference(KeyedArchiveWriter.null)
    return archive.add(
      "NSFetchRequest",
      [
        ("NSEntity", .reference(reference(toEntity: template.entityName))),
        ("NSPredicate", .reference(condition)), ("NSSortDescriptors", .reference(order)),
        ("NSFetchLimit", .int(template.fetchLimit)), ("NSFetchOffset", .int(template.fetchOffset)),
        ("NSBatchSize", .int(template.fetchBatchSize)),
        ("NSResultType", .int(Int(bitPattern: template.resultType))),
        ("NSFetchRequestFlags", .int(FetchTemplateFlags.word(of: template))),
        ("NSHasFetchRequestFlags", .bool(true)),
        ("NSAllocationType", .int(0)), ("NSValuesToFetch", null), ("NSValuesToGroupBy", null),
        ("NSHavingPredicate", null), ("NSRelationshipKeyPathsForPrefetching", null),
      ])
  }

  private mutating func write(_ sortKeys: [FetchTemplate.SortKey]) -> Int {
    if sortKeys.isEmpty { return KeyedArchiveWriter.null }
    let descriptors = sortKeys.map { sort in
      let key = archive.add(sort.key)
      let selector = archive.add(sort.selector ?? "compare:")
      return archive.add(
        "NSSortDescriptor",
        [
          ("NSKey", .reference(key)), ("NSAscending", .bool(sort.isAscending)),
          ("NSSelector", .reference(selector)), ("NSReverseNullOrder", .bool(false)),
        ])
    }
    return archive.add("NSArray", of: descriptors)
  }
}
