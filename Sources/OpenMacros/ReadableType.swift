import SwiftSyntax

/// What `@ReadableByKey` needs to know about the type it is attached to.
struct ReadableType {
  /// How the type's instances are declared.
  enum Kind {
    case structure
    case finalClass
    case openClass
  }

  /// Whether the type is a class that may have subclasses.
  let kind: Kind
  /// The access level of the method, followed by a space unless it is implied.
  let access: String
  /// Whether the method stands in place of one that a superclass has.
  let overrides: Bool
  /// The names of the properties, as they are written.
  let properties: [TokenSyntax]

  /// Reads and checks a declaration.
  ///
  /// - Parameter conforms: Whether the type conforms already, by its superclass.
  /// - Throws: `ManagedError` when it is neither a class nor a structure.
  init(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, conforms: Bool
  ) throws(ManagedError) {
    let members = declaration.memberBlock.members
    if declaration.is(StructDeclSyntax.self) {
      kind = .structure
    } else if declaration.is(ClassDeclSyntax.self) {
      kind = declaration.modifiers.contains(where: \.isFinal) ? .finalClass : .openClass
    } else {
      throw ManagedError(.notReadable, at: attribute)
    }
    access = Self.access(of: declaration)
    overrides = conforms && kind != .structure && declaration.inheritanceClause != nil
    let kind = kind
    properties = members.flatMap { member in
      member.decl.as(VariableDeclSyntax.self)?.readableNames(in: kind) ?? []
    }
  }

  /// A method that fulfils a requirement is as visible as its type, or more than that.
  private static func access(of declaration: some DeclGroupSyntax) -> String {
    for modifier in declaration.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.open): return "open "
      case .keyword(.public): return "public "
      case .keyword(.package): return "package "
      default: continue
      }
    }
    return ""
  }
}

extension VariableDeclSyntax {
  /// The names of the properties that an instance can be asked for without more ado.
  fileprivate func readableNames(in kind: ReadableType.Kind) -> [TokenSyntax] {
    if modifiers.contains(where: \.isTypeMember) { return [] }
    // Reading a lazy property changes a structure.
    if kind == .structure, modifiers.contains(where: \.isLazy) { return [] }
    return bindings.flatMap { binding in
      binding.hasPlainGetter ? binding.pattern.readableNames : []
    }
  }
}

extension PatternSyntax {
  /// The names that the pattern declares, those of a tuple included.
  fileprivate var readableNames: [TokenSyntax] {
    if let name = `as`(IdentifierPatternSyntax.self) { return [name.identifier.trimmed] }
    guard let tuple = `as`(TuplePatternSyntax.self) else { return [] }
    return tuple.elements.flatMap { $0.pattern.readableNames }
  }
}

extension PatternBindingSyntax {
  /// Whether the property is stored, or has a getter that neither changes the instance nor waits or throws.
  fileprivate var hasPlainGetter: Bool {
    guard case .accessors(let accessors) = accessorBlock?.accessors else { return true }
    return accessors.allSatisfy { accessor in
      guard accessor.accessorSpecifier.tokenKind == .keyword(.get) else { return true }
      return accessor.effectSpecifiers == nil
        && accessor.modifier?.name.tokenKind != .keyword(.mutating)
    }
  }
}

extension DeclModifierSyntax {
  fileprivate var isFinal: Bool { name.tokenKind == .keyword(.final) }
  fileprivate var isLazy: Bool { name.tokenKind == .keyword(.lazy) }
}
