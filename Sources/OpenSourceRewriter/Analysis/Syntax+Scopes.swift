import SwiftSyntax

extension SyntaxProtocol {
  /// The types that enclose a node, outermost first. A code block counts as a scope.
  var enclosingPath: [String] {
    var path: [String] = []
    var node = parent
    while let current = node {
      if let type = current.as(ExtensionDeclSyntax.self) {
        path.insert(contentsOf: type.extendedType.namePath ?? [], at: 0)
      } else if let type = current.asProtocol((any NamedDeclSyntax).self), current.isType {
        path.insert(type.name.plainName, at: 0)
      } else if current.is(CodeBlockSyntax.self) || current.is(ClosureExprSyntax.self) {
        path.insert("{\(current.position.utf8Offset)}", at: 0)
      }
      node = current.parent
    }
    return path
  }

  fileprivate var isType: Bool {
    self.is(ClassDeclSyntax.self) || self.is(StructDeclSyntax.self) || self.is(EnumDeclSyntax.self)
      || self.is(ActorDeclSyntax.self) || self.is(ProtocolDeclSyntax.self)
  }

  /// The `#if` clauses around a node, innermost first.
  var enclosingClauses: [IfConfigClauseSyntax] {
    var clauses: [IfConfigClauseSyntax] = []
    var node = parent
    while let current = node {
      if let clause = current.as(IfConfigClauseSyntax.self) { clauses.append(clause) }
      node = current.parent
    }
    return clauses
  }
}

extension MemberBlockItemListSyntax {
  /// The members, those in conditional blocks included.
  var allDeclarations: [DeclSyntax] {
    flatMap { member in
      guard let directive = member.decl.as(IfConfigDeclSyntax.self) else { return [member.decl] }
      return directive.clauses.flatMap { clause -> [DeclSyntax] in
        guard case .decls(let members)? = clause.elements else { return [] }
        return members.allDeclarations
      }
    }
  }
}

extension NamedDeclSyntax {
  /// The path of a type that is declared here.
  var typePath: [String] { enclosingPath + [name.plainName] }
}

extension ClassDeclSyntax {
  /// Whether a class that is not managed can have `@ReadableByKey`: it belongs to no actor, and is not within a function.
  var canBeReadable: Bool {
    !attributes.nameActor && !enclosingPath.contains { $0.hasPrefix("{") }
  }
}

extension ExtensionDeclSyntax {
  /// The path of the extended type.
  var typePath: [String] { enclosingPath + (extendedType.namePath ?? []) }
}

extension TypeSyntax {
  /// The names of a nominal type, generic arguments removed; nil for other types.
  var namePath: [String]? {
    if let plain = `as`(IdentifierTypeSyntax.self) { return [plain.name.plainName] }
    guard let member = `as`(MemberTypeSyntax.self), let base = member.baseType.namePath else {
      return nil
    }
    return base + [member.name.plainName]
  }
}
