import SwiftSyntax

extension SyntaxProtocol {
  /// The names of the types and code blocks that enclose a node, the outermost first.
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
  /// The members, including members in conditional blocks.
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
  /// The path of the declared type.
  var typePath: [String] { enclosingPath + [name.plainName] }
}

extension ClassDeclSyntax {
  /// Whether models and archives can refer to the class by a name in `@objc(Name)`.
  var canBeMarked: Bool {
    inheritanceClause != nil && genericParameterClause == nil
      && !enclosingPath.contains { $0.hasPrefix("{") }
  }

  /// Whether a class that is not managed can have the attribute `@ReadableByKey`. The class must
  /// not be isolated to an actor and must not be declared in a function.
  var canBeReadable: Bool {
    !attributes.nameActor && !enclosingPath.contains { $0.hasPrefix("{") }
  }
}

extension ExtensionDeclSyntax {
  /// The path of the extended type.
  var typePath: [String] { enclosingPath + (extendedType.namePath ?? []) }
}

extension TypeSyntax {
  /// The components of a nominal type's name, without generic arguments; nil for other types.
  var namePath: [String]? {
    if let plain = `as`(IdentifierTypeSyntax.self) { return [plain.name.plainName] }
    guard let member = `as`(MemberTypeSyntax.self), let base = member.baseType.namePath else {
      return nil
    }
    return base + [member.name.plainName]
  }
}
