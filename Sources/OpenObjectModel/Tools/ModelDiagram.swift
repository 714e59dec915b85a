/// A diagram of a model, as Mermaid text or as an SVG picture.
///
/// Each entity is a box with the properties that the entity itself declares. Lines connect each
/// entity with its subentities and with the destination entities of its relationships. The diagram
/// escapes all names, and shortens names with more than 60 characters. A diagram shows at most 300
/// entities, at most 40 properties of each entity, and at most 2,000 lines for relationships. The
/// diagram states the numbers of omitted entities, properties and lines.
///
/// This is an addition to Apple's API.
public struct ModelDiagram {
  /// A line between two boxes.
  struct Link {
    var source: Int
    var destination: Int
    var label: String
    /// The possible number of objects at the end of the line, such as `0..1` or `*`.
    var sourceCount: String
    var destinationCount: String
    /// The members that the line connects; nil for the box itself.
    var sourceRow: Int?
    var destinationRow: Int?
  }

  /// A line of text in a box.
  struct Member {
    var name: String
    var type: String
    var isRelationship = false
  }

  /// A box for an entity.
  struct Box {
    var name: String
    var isAbstract: Bool
    var members: [Member]
  }

  private(set) var boxes: [Box] = []
  /// The pairs of subentity and superentity.
  private(set) var parents: [(child: Int, parent: Int)] = []
  private(set) var links: [Link] = []
  /// The positions of relationships in their boxes, by name.
  private var rows: [[String: Int]] = []
  /// The number of omitted entities.
  private(set) var omittedCount = 0
  /// The number of omitted lines for relationships between entities that the diagram shows.
  private(set) var omittedLinkCount = 0

  /// The texts that state the numbers of omitted entities and lines.
  var omissions: [String] {
    [("entities", omittedCount), ("relationships", omittedLinkCount)].filter { $0.1 > 0 }
      .map { "Omitted \($0): \($1)" }
  }

  static let boxLimit = 300
  static let memberLimit = 40
  static let linkLimit = 2000
  static let nameLimit = 60

  /// Creates a diagram of a model.
  ///
  /// - Parameter model: The model; later changes to the model do not affect the diagram.
  public init(_ model: NSManagedObjectModel) {
    let all = model.entities.sorted { ModelWriter.precedes($0.name ?? "", $1.name ?? "") }
    let entities = all.prefix(Self.boxLimit)
    omittedCount = all.count - entities.count
    let places = Dictionary(
      entities.enumerated().map { (ObjectIdentifier($1), $0) },
      uniquingKeysWith: { first, _ in first })
    boxes = entities.map(Self.box)
    rows = boxes.map { box in
      let shown = box.members.enumerated().filter { $0.element.isRelationship }
      return Dictionary(shown.map { ($0.element.name, $0.offset) }) { first, _ in first }
    }
    for (index, entity) in entities.enumerated() {
      if let parent = entity.superentity.flatMap({ places[ObjectIdentifier($0)] }) {
        parents.append((child: index, parent: parent))
      }
      for property in entity.ownProperties.sorted(by: { ModelWriter.precedes($0.name, $1.name) }) {
        guard let relationship = property as? NSRelationshipDescription else { continue }
        addLink(relationship, from: index, places)
      }
    }
  }

  private static func box(_ entity: NSEntityDescription) -> Box {
    let properties = entity.ownProperties.sorted { ModelWriter.precedes($0.name, $1.name) }
    var members = properties.filter { !($0 is NSRelationshipDescription) }.map { property in
      Member(
        name: shortened(property.name),
        type: typeName(property) + (property.isOptional ? "?" : ""))
    }
    for case let relationship as NSRelationshipDescription in properties {
      let destination = shortened(relationship.destinationEntity?.name ?? "nothing")
      members.append(
        Member(
          name: shortened(relationship.name), type: "\(destination) \(count(relationship))",
          isRelationship: true))
    }
    if members.count > memberLimit {
      let rest = members.count - memberLimit
      members = members.prefix(memberLimit) + [Member(name: "\(rest) more", type: "…")]
    }
    return Box(name: shortened(entity.name ?? "?"), isAbstract: entity.isAbstract, members: members)
  }

  private static func typeName(_ property: NSPropertyDescription) -> String {
    switch property {
    case is NSDerivedAttributeDescription: "Derived"
    case let attribute as NSAttributeDescription: DescriptionFacts.typeName(attribute)
    default: "Fetched"
    }
  }

  static func shortened(_ name: String) -> String {
    name.count <= nameLimit ? name : name.prefix(nameLimit - 1) + "…"
  }

  /// Adds the line of a relationship; a relationship and its inverse share one line.
  private mutating func addLink(
    _ relationship: NSRelationshipDescription, from source: Int, _ places: [ObjectIdentifier: Int]
  ) {
    guard
      let destination = relationship.destinationEntity.flatMap({ places[ObjectIdentifier($0)] })
    else { return }
    let inverse = relationship.inverseRelationship
    let isMutual = inverse?.inverseRelationship === relationship
    if isMutual, let inverse, inverse !== relationship, let owner = inverse.owner,
      let place = places[ObjectIdentifier(owner)],
      (place, inverse.name) < (source, relationship.name)
    {
      return
    }
    guard links.count < Self.linkLimit else {
      omittedLinkCount += 1
      return
    }
    let label = [relationship.name, isMutual ? inverse?.name : nil].compactMap { $0 }
      .map(Self.shortened).joined(separator: " / ")
    links.append(
      Link(
        source: source, destination: destination, label: label,
        sourceCount: isMutual ? inverse.map(Self.count) ?? "" : "",
        destinationCount: Self.count(relationship),
        sourceRow: row(of: relationship, in: source),
        destinationRow: isMutual ? inverse.flatMap { row(of: $0, in: destination) } : nil))
  }

  /// Returns the position of a relationship in a box that shows it.
  private func row(of relationship: NSRelationshipDescription, in box: Int) -> Int? {
    let name = Self.shortened(relationship.name)
    return rows[box][name]
  }

  private static func count(_ relationship: NSRelationshipDescription) -> String {
    if !relationship.isToMany { return relationship.isOptional ? "0..1" : "1" }
    let least = max(0, relationship.minCount)
    guard relationship.maxCount > 0, relationship.maxCount < Int(Int32.max) else {
      return least == 0 ? "*" : "\(least)..*"
    }
    return "\(least)..\(relationship.maxCount)"
  }
}
