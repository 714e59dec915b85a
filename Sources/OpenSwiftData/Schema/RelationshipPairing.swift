internal import OpenObjectGraph

/// Determines which relationships of a schema's models are inverses of each other.
///
/// A relationship that names an inverse is paired with this inverse. If several relationships of a
/// class name the same inverse, only one of them is paired. Two other relationships are paired if
/// each relationship leads to the class that declares the other relationship, and neither has a
/// second candidate. Two to-many relationships, relationships between models of one type, and
/// required to-one relationships are paired only by name.
///
/// > Reference: Apple, Relationship(_:deleteRule:minimumModelCount:maximumModelCount:originalName:inverse:hashModifier:).
/// > Differs: D-448.
struct RelationshipPairing {
  private final class Link {
    let record: ModelRecord
    let row: ModelRecord.Row
    let shape: RelationshipShape
    let target: ModelRecord
    let namedInverse: AnyKeyPath?
    var inverse: Link?

    init(_ row: ModelRecord.Row, _ shape: RelationshipShape, of record: ModelRecord) {
      self.record = record
      self.row = row
      self.shape = shape
      target = ModelRecord.of(shape.destination)
      namedInverse = (row.metadata as? Schema.Relationship)?.inverseKeyPath
    }

    /// Returns whether each of two relationships leads to the class that declares the other one.
    ///
    /// A relationship that leads to a subclass or a superclass of this class is not an inverse: one
    /// of the two relationships would have to contain models that it cannot contain.
    func leadsBack(_ other: Link) -> Bool { target === other.record && other.target === record }

    /// Whether the relationship is paired by name only.
    var mustBeNamed: Bool { !shape.isToMany && !shape.isOptional }
  }

  private let links: [Link]
  private(set) var issues: [SchemaError] = []

  init(_ records: [ModelRecord]) {
    links = records.flatMap { record in
      record.rows.compactMap { row in row.relationship.map { Link(row, $0, of: record) } }
    }
  }

  /// Returns the inverse of a relationship; `nil` if the relationship has no inverse.
  func inverse(of name: String, _ record: ModelRecord) -> ModelRecord.Row? {
    links.first { $0.record === record && $0.row.name == name }?.inverse?.row
  }

  mutating func run() {
    for link in links where link.namedInverse != nil { pairByName(link) }
    let open = links.filter { $0.inverse == nil && $0.namedInverse == nil }
    for link in open where link.inverse == nil { pairByType(link, among: open) }
  }

  // MARK: By name

  private mutating func pairByName(_ link: Link) {
    guard let inverse = inverse(namedBy: link) else {
      return fail(
        link,
        "The inverse is not a relationship of \(link.target.entityName), which is the destination. Use a relationship of that "
          + "model.")
    }
    guard link.target === inverse.record else {
      return fail(
        link,
        "The inverse \(inverse.row.name) is declared by \(inverse.record.entityName), but the destination of the relationship "
          + "is \(link.target.entityName). Use a relationship that \(link.target.entityName) declares."
      )
    }
    guard link.leadsBack(inverse) else {
      return fail(
        link,
        "The destination of the inverse \(inverse.row.name) is \(inverse.target.entityName), not \(link.record.entityName). Use "
          + "a relationship to \(link.record.entityName).")
    }
    if let first = firstLink(naming: inverse), first !== link {
      return warnShared(link, inverse, first)
    }
    if let other = inverse.inverse, other !== link { return failShared(link, inverse, other) }
    if let other = link.inverse, other !== inverse { return failShared(inverse, link, other) }
    link.inverse = inverse
    inverse.inverse = link
  }

  /// Returns the relationship that a relationship names as its inverse.
  private func inverse(namedBy link: Link) -> Link? {
    guard let name = link.namedInverse.flatMap({ link.target.name(of: $0) }) else { return nil }
    return links.first { other in
      other.row.name == name && link.target.chain.contains { $0 === other.record }
    }
  }

  /// Returns the first declared relationship that names an inverse.
  private func firstLink(naming inverse: Link) -> Link? {
    links.first { $0.leadsBack(inverse) && self.inverse(namedBy: $0) === inverse }
  }

  private func warnShared(_ link: Link, _ inverse: Link, _ first: Link) {
    GraphLog.warning(
      "The relationships \(first.row.name) and \(link.row.name) of \(link.record.entityName) have the same inverse "
        + "\(inverse.row.name). Only \(first.row.name) is connected to the inverse, and \(link.row.name) has no inverse. Remove "
        + "the inverse from \(link.row.name), or declare another relationship of \(inverse.record.entityName) as its inverse."
    )
  }

  private mutating func failShared(_ link: Link, _ inverse: Link, _ other: Link) {
    fail(
      link,
      "The relationship \(inverse.row.name) of \(inverse.record.entityName) is also the inverse of \(other.row.name) of "
        + "\(other.record.entityName). A relationship can have only one inverse. Remove the inverse from one of the two."
    )
  }

  private mutating func fail(_ link: Link, _ message: String) {
    issues.append(
      SchemaError(
        .wrongInverse, message, entity: link.record.entityName, property: link.row.name))
  }

  // MARK: By type

  private func pairByType(_ link: Link, among open: [Link]) {
    guard let inverse = onlyCandidate(for: link, among: open),
      onlyCandidate(for: inverse, among: open) === link,
      !(link.shape.isToMany && inverse.shape.isToMany),
      !link.mustBeNamed, !inverse.mustBeNamed
    else { return }
    link.inverse = inverse
    inverse.inverse = link
  }

  private func onlyCandidate(for link: Link, among open: [Link]) -> Link? {
    let candidates = open.filter { link.leadsBack($0) }
    guard candidates.count == 1, candidates[0] !== link, candidates[0].inverse == nil else {
      return nil
    }
    return candidates[0]
  }
}
