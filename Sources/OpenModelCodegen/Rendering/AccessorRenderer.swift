/// Writes the methods that change the members of one to-many relationship.
struct AccessorRenderer {
  let collection: ClassPlan.Collection
  let className: String
  let names: TypeNames

  /// An extension of the class.
  var text: String {
    let methods = (collection.isOrdered ? positioned : []) + plain
    return "// MARK: Accessors of \(collection.name)\n\nextension \(className) {\n"
      + methods.map { "  \(attribute) public func \($0)\n" }.joined() + "}\n"
  }

  private var member: String { collection.member.quoted }
  private var suffix: String { collection.name.capitalizedFirst }

  /// The attribute, with the relationship's name where the method's name does not give it.
  private var attribute: String {
    let derived = suffix.prefix(1).lowercased() + suffix.dropFirst()
    let isDerivable = derived == collection.name && suffix.first?.isUppercase == true
    return isDerivable ? "@ManagedAccessor" : "@ManagedAccessor(\"\(collection.name)\")"
  }

  private var plain: [String] {
    let set = names.text(collection.isOrdered ? "NSOrderedSet" : "NSSet")
    return [
      "addTo\(suffix)(_ value: \(member))", "removeFrom\(suffix)(_ value: \(member))",
      "addTo\(suffix)(_ values: \(set))", "removeFrom\(suffix)(_ values: \(set))",
    ]
  }

  private var positioned: [String] {
    let (int, indexSet) = (names.text("Int"), names.text("NSIndexSet"))
    return [
      "insertInto\(suffix)(_ value: \(member), at idx: \(int))",
      "removeFrom\(suffix)(at idx: \(int))",
      "insertInto\(suffix)(_ values: [\(member)], at indexes: \(indexSet))",
      "removeFrom\(suffix)(at indexes: \(indexSet))",
      "replace\(suffix)(at idx: \(int), with value: \(member))",
      "replace\(suffix)(at indexes: \(indexSet), with values: [\(member)])",
    ]
  }
}
