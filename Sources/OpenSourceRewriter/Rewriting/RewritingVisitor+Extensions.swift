import SwiftSyntax

/// The members that are added to a class because of its extensions.
struct ExtendedClass {
  /// The source of a member, with the position of the original member.
  struct Line {
    let text: String
    let condition: String?
    let path: String
    let line: Int
  }

  /// The members that call renamed members of the extensions.
  var forwarders: [Line] = []
  /// The `switch` cases that read properties of the extensions by key.
  var readers: [Line] = []

  static func + (one: ExtendedClass, other: ExtendedClass) -> ExtendedClass {
    ExtendedClass(
      forwarders: one.forwarders + other.forwarders, readers: one.readers + other.readers)
  }
}

extension RewritingVisitor {
  /// Renames a member of an extension that must be declared in the class, and records the member to
  /// add to the class.
  func move(_ member: ExtensionMember, of type: ClassDeclarations.Declaration) {
    if let reason = refusal(of: member, type) { return report(reason, at: member.declaration) }
    if member.role == .readable { return read(member, of: type) }
    let attributes = keptAttributes(of: member.parent) + keptAttributes(of: member.declaration)
    guard let forwarder = try? Forwarder(member, of: type, attributes: attributes),
      let name = member.declaration.declaredName
    else {
      return report(
        "this override cannot be declared in an extension; move it into the class '\(type.name)'",
        at: member.declaration)
    }
    replace(name, with: forwarder.newName)
    renamed.insert(member.declaration.id)
    extended[type, default: ExtendedClass()].forwarders.append(line(forwarder.text, of: member))
  }

  /// Removes or replaces a modifier of a renamed member if necessary.
  func rewriteModifier(_ node: DeclModifierSyntax) {
    guard let owner = node.parent?.parent, renamed.contains(owner.id) else { return }
    switch node.name.tokenKind {
    case .keyword(.override), .keyword(.private), .keyword(.fileprivate): remove(node)
    case .keyword(.open): replace(node, with: "public")
    case .keyword(.class): replace(node, with: "static")
    default: return
    }
  }

  private func refusal(
    of member: ExtensionMember, _ type: ClassDeclarations.Declaration
  ) -> String? {
    if !known.isInModule(type) {
      // Swift can use such a property, and reading it by key reports an unknown key.
      if member.role == .readable { return nil }
      return
        "the class '\(type.name)' is not declared in a source of this target that is rewritten, so "
        + "this member of an extension is never called; move it into the class"
    }
    if member.isPrivate, type.file != number, member.role != .validator {
      return
        "the class '\(type.name)' is in another file and cannot use this private member; make the member internal"
    }
    if member.role == .validator, type.file != number, member.isPrivateByExtension {
      return
        "the class '\(type.name)' is in another file and cannot call this method of a private extension; "
        + "make the extension internal"
    }
    return nil
  }

  private func read(_ member: ExtensionMember, of type: ClassDeclarations.Declaration) {
    guard known.isInModule(type), let name = member.declaration.declaredName else { return }
    let text = "case \"\(name.plainName)\": return self.\(name.text)"
    extended[type, default: ExtendedClass()].readers.append(line(text, of: member))
  }

  private func line(_ text: String, of member: ExtensionMember) -> ExtendedClass.Line {
    ExtendedClass.Line(
      text: text, condition: member.condition, path: source.path,
      line: source.line(of: member.declaration))
  }

  /// Returns the attributes that have a meaning in this library, each followed by a space.
  private func keptAttributes(of node: some SyntaxProtocol) -> String {
    let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
    var text = ""
    for case .attribute(let attribute) in attributes
    where !Self.dropped.contains(attribute.simpleName ?? "") {
      text += attribute.oneLine + " "
    }
    return text
  }

  // MARK: In the class

  /// Inserts the members that are added to a class before the closing brace of the class.
  ///
  /// - Parameter place: The directive for the position of the brace; nil to use the position of the
  ///   brace in this file.
  func extend(_ node: ClassDeclSyntax, place: String? = nil) {
    guard let members = extended[.init(file: number, path: node.typePath)] else { return }
    let brace = node.memberBlock.rightBrace
    var text = "\n"
    for line in members.forwarders {
      let own = "\(ParsedSource.directive(line.path, line: line.line))\(line.text)\n"
      text += line.condition.map { "#if \($0)\n\(own)#endif\n" } ?? own
    }
    if hasReaders(node) { text += reader(members.readers) }
    text += place ?? ParsedSource.directive(source.path, line: source.line(of: brace))
    edits.insert(text, at: brace.visibleRange.lowerBound)
  }

  /// Returns whether properties of the class's extensions are read by key.
  func hasReaders(_ node: ClassDeclSyntax) -> Bool {
    let readers = extended[.init(file: number, path: node.typePath)]?.readers ?? []
    return !readers.isEmpty && !node.attributes.nameActor
  }

  private func reader(_ lines: [ExtendedClass.Line]) -> String {
    let cases = lines.map { line in
      line.condition.map { "#if \($0)\n\(line.text)\n#endif\n" } ?? line.text + "\n"
    }
    return
      "private func __readableInExtensions(forKey key: Swift.String, else rest: () -> Any?) -> Any? {\n"
      + "switch key {\n\(cases.joined())default: return rest()\n}\n}\n"
  }
}

extension DeclSyntax {
  /// The name of a function or of a single property.
  fileprivate var declaredName: TokenSyntax? {
    `as`(FunctionDeclSyntax.self)?.name
      ?? `as`(VariableDeclSyntax.self)?.bindings.first?.pattern
      .as(IdentifierPatternSyntax.self)?.identifier
  }
}
