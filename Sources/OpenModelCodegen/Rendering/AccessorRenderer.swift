/// Renders the methods that change the members of one to-many relationship.
struct AccessorRenderer {
  let collection: ClassPlan.Collection
  let className: String
  let names: TypeNames
  let form: ModelCodegen.Form

  /// A method: its declaration, and a call as its body.
  private struct Method {
    let declaration: String
    let body: String
  }

  /// The extension of the class with the methods.
  var text: String {
    let methods = (collection.isOrdered ? positioned : []) + plain
    return "// MARK: Accessors of \(collection.name)\n\nextension \(className) {\n"
      + methods.map(text).joined() + "}\n"
  }

  private func text(of method: Method) -> String {
    form == .macros
      ? "  \(attribute) public func \(method.declaration)\n"
      : "  public func \(method.declaration) {\n    \(method.body)\n  }\n"
  }

  private var member: String { collection.member.quoted }
  private var suffix: String { collection.name.capitalizedFirst }
  private var key: String { "\"\(collection.name)\"" }

  /// The attribute, with the relationship's name if it cannot be derived from the method's name.
  private var attribute: String {
    let derived = suffix.prefix(1).lowercased() + suffix.dropFirst()
    let isDerivable = derived == collection.name && suffix.first?.isUppercase == true
    return isDerivable ? "@ManagedAccessor" : "@ManagedAccessor(\"\(collection.name)\")"
  }

  private var plain: [Method] {
    let set = names.text(collection.isOrdered ? "NSOrderedSet" : "NSSet")
    return [
      Method(
        declaration: "addTo\(suffix)(_ value: \(member))", body: "__addMember(value, \(key))"),
      Method(
        declaration: "removeFrom\(suffix)(_ value: \(member))",
        body: "__removeMember(value, \(key))"),
      Method(
        declaration: "addTo\(suffix)(_ values: \(set))", body: "__addMembers(values, \(key))"),
      Method(
        declaration: "removeFrom\(suffix)(_ values: \(set))",
        body: "__removeMembers(values, \(key))"),
    ]
  }

  private var positioned: [Method] {
    let (int, indexSet) = (names.text("Int"), names.text("NSIndexSet"))
    return [
      Method(
        declaration: "insertInto\(suffix)(_ value: \(member), at idx: \(int))",
        body: "__insertMember(value, \(key), at: idx)"),
      Method(
        declaration: "removeFrom\(suffix)(at idx: \(int))",
        body: "__removeMember(\(key), at: idx)"),
      Method(
        declaration: "insertInto\(suffix)(_ values: [\(member)], at indexes: \(indexSet))",
        body: "__insertMembers(values, \(key), at: indexes)"),
      Method(
        declaration: "removeFrom\(suffix)(at indexes: \(indexSet))",
        body: "__removeMembers(\(key), at: indexes)"),
      Method(
        declaration: "replace\(suffix)(at idx: \(int), with value: \(member))",
        body: "__replaceMember(\(key), at: idx, with: value)"),
      Method(
        declaration: "replace\(suffix)(at indexes: \(indexSet), with values: [\(member)])",
        body: "__replaceMembers(\(key), at: indexes, with: values)"),
    ]
  }
}
