/// Which descriptions of two models describe the same thing.
struct ModelPairing {
  /// Descriptions of both sides, those of one side alone, and each in the order of names.
  struct Pairs<Description: AnyObject> {
    var pairs: [(old: Description, new: Description)] = []
    var removed: [Description] = []
    var added: [Description] = []
  }

  let entities: Pairs<NSEntityDescription>
  private var properties: [ObjectIdentifier: Pairs<NSPropertyDescription>] = [:]
  /// The counterpart of an old description, by that description.
  private var successors: [ObjectIdentifier: AnyObject] = [:]

  init(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) {
    entities = Self.pairs(
      old.entities, new.entities, name: { $0.name ?? "" }, identifier: \.ownRenamingIdentifier)
    for pair in entities.pairs {
      let members = Self.pairs(
        pair.old.ownProperties, pair.new.ownProperties, name: \.name,
        identifier: \.ownRenamingIdentifier)
      properties[ObjectIdentifier(pair.new)] = members
      successors[ObjectIdentifier(pair.old)] = pair.new
      for member in members.pairs { successors[ObjectIdentifier(member.old)] = member.new }
    }
  }

  /// The own properties of an entity of the new model.
  func properties(of entity: NSEntityDescription) -> Pairs<NSPropertyDescription> {
    properties[ObjectIdentifier(entity)] ?? Pairs()
  }

  /// The name that an old entity has in the new model.
  func newName(of entity: NSEntityDescription?) -> String? {
    entity.map { (successors[ObjectIdentifier($0)] as? NSEntityDescription ?? $0).name ?? "" }
  }

  /// The name that an old property has in the new model.
  func newName(of property: NSPropertyDescription?) -> String? {
    property.map { (successors[ObjectIdentifier($0)] as? NSPropertyDescription ?? $0).name }
  }

  /// Pairs by name and identifier together, then by equal identifiers, then by the identifier that names an old one, then by
  /// name, then by an old one's identifier that is a name.
  private static func pairs<Description: AnyObject>(
    _ old: [Description], _ new: [Description], name: (Description) -> String,
    identifier: (Description) -> String?
  ) -> Pairs<Description> {
    var (old, new) = (
      old.sorted { name($0) < name($1) }, new.sorted { name($0) < name($1) }
    )
    var pairs: [(old: Description, new: Description)] = []
    func join(_ oldKey: (Description) -> String?, _ newKey: (Description) -> String?) {
      var known: [String: Description] = [:]
      for one in old { if let key = oldKey(one), known[key] == nil { known[key] = one } }
      new.removeAll { other in
        guard let key = newKey(other), let one = known.removeValue(forKey: key) else {
          return false
        }
        pairs.append((old: one, new: other))
        return true
      }
      let joined = Set(pairs.map { ObjectIdentifier($0.old) })
      old.removeAll { joined.contains(ObjectIdentifier($0)) }
    }
    func both(_ one: Description) -> String? { name(one) + "\0" + (identifier(one) ?? "") }
    join(both, both)
    join(identifier, identifier)
    join({ identifier($0) == nil ? name($0) : nil }, identifier)
    join(name, identifier)
    join(name, name)
    join(identifier, name)
    return Pairs(
      pairs: pairs.sorted { name($0.new) < name($1.new) }, removed: old, added: new)
  }
}
