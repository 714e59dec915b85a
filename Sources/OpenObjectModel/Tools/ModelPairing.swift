/// Pairs the descriptions of two models that describe the same element.
struct ModelPairing {
  /// The descriptions in both models, and those in only one model, sorted by name.
  struct Pairs<Description: AnyObject> {
    var pairs: [(old: Description, new: Description)] = []
    var removed: [Description] = []
    var added: [Description] = []
  }

  let entities: Pairs<NSEntityDescription>
  private var properties: [ObjectIdentifier: Pairs<NSPropertyDescription>] = [:]
  /// The new counterpart of each old description.
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

  /// Returns the pairs of properties that an entity of the new model declares.
  func properties(of entity: NSEntityDescription) -> Pairs<NSPropertyDescription> {
    properties[ObjectIdentifier(entity)] ?? Pairs()
  }

  /// Returns the name of an old entity in the new model.
  func newName(of entity: NSEntityDescription?) -> String? {
    entity.map { (successors[ObjectIdentifier($0)] as? NSEntityDescription ?? $0).name ?? "" }
  }

  /// Returns the name of an old property in the new model.
  func newName(of property: NSPropertyDescription?) -> String? {
    property.map { (successors[ObjectIdentifier($0)] as? NSPropertyDescription ?? $0).name }
  }

  /// Pairs descriptions by name and identifier, then by equal identifiers, then by a new identifier
  /// that is an old name, then by name, and finally by an old identifier that is a new name.
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
