import SwiftSyntax

/// A type with the macro `@ReadableByKey`.
struct ReadableType {
  /// The kind of the type's declaration.
  enum Kind {
    case structure
    case finalClass
    case openClass
  }

  /// A property that can be read.
  struct Property {
    /// The name as it is written in the source.
    let name: TokenSyntax
    /// The `#if` condition under which the property exists.
    let condition: String?
  }

  /// Whether the type is a class that may have subclasses.
  let kind: Kind
  /// The access modifier of the method, followed by a space; empty if no modifier is necessary.
  let access: String
  /// The type's name.
  let name: TokenSyntax
  /// Whether the method overrides a method of a superclass.
  let overrides: Bool
  /// Whether the list of key paths overrides the list of a superclass; nil if no list is needed.
  let overridesList: Bool?
  /// Whether the type is isolated to a global actor.
  let isIsolated: Bool
  /// Whether the build plug-in wrote a method that reads the properties of extensions.
  let readsExtensions: Bool
  /// The properties that can be read on any thread, in order.
  let properties: [Property]

  /// Reads and checks a declaration.
  ///
  /// - Parameters:
  ///   - added: The conformances that the type does not inherit from its superclass.
  ///   - context: The declarations that enclose the type, innermost first.
  /// - Throws: `ManagedError` if the declaration is neither a class nor a structure, or if all its
  ///   properties are isolated to an actor.
  init(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, adding added: [TypeSyntax],
    in context: [Syntax]
  ) throws(ManagedError) {
    if let structure = declaration.as(StructDeclSyntax.self) {
      name = structure.name.trimmed
      kind = .structure
    } else if let type = declaration.as(ClassDeclSyntax.self) {
      name = type.name.trimmed
      kind = declaration.modifiers.contains(where: \.isFinal) ? .finalClass : .openClass
    } else {
      throw ManagedError(.notReadable, at: attribute)
    }
    access = AccessLevel.text(of: declaration, in: context)
    let inherits = kind != .structure && declaration.inheritanceClause != nil
    let names = added.map(\.trimmedDescription)
    overrides = inherits && !names.contains { $0.hasSuffix("KeyValueReadable") }
    if declaration.attributes.named("ManagedObject") {
      overridesList = nil
    } else if names.contains(where: { $0.hasSuffix("__KeyPathListing") }) {
      overridesList = false
    } else {
      overridesList = inherits ? true : nil
    }
    isIsolated = declaration.attributes.globalActor != nil
    let (kind, isIsolated) = (kind, isIsolated)
    readsExtensions = declaration.memberBlock.members.contains { member in
      member.decl.as(FunctionDeclSyntax.self)?.name.text == "__readableInExtensions"
    }
    let variables = declaration.memberBlock.members.allMembers.compactMap { member in
      member.declaration.as(VariableDeclSyntax.self).map { ($0, member.condition) }
    }
    properties = variables.flatMap { variable, condition in
      variable.readableNames(in: kind, isolated: isIsolated)
        .map { Property(name: $0, condition: condition) }
    }
    if isIsolated, properties.isEmpty, !variables.isEmpty {
      throw ManagedError(.actorIsolated, at: attribute)
    }
  }
}

extension VariableDeclSyntax {
  /// The names of the properties that can be read directly from an instance.
  fileprivate func readableNames(
    in kind: ReadableType.Kind, isolated: Bool
  ) -> [TokenSyntax] {
    if modifiers.contains(where: \.isTypeMember) || attributes.makeUnavailable
      || attributes.makeManaged
    {
      return []
    }
    let isNonisolated = modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) }
    if attributes.globalActor != nil || (isolated && !isNonisolated) { return [] }
    // Reading a lazy property changes a structure.
    if kind == .structure, modifiers.contains(where: \.isLazy) { return [] }
    return bindings.flatMap { binding in
      binding.hasPlainGetter ? binding.pattern.readableNames : []
    }
  }
}

extension AttributeListSyntax {
  /// Whether the property is in the model, and can therefore be read by name without the macro.
  fileprivate var makeManaged: Bool { names.contains("Managed") }

  /// Whether the list contains an attribute with the given name.
  fileprivate func named(_ name: String) -> Bool { names.contains(name) }

  private var names: [String] {
    compactMap { element in
      guard case .attribute(let attribute) = element else { return nil }
      return attribute.attributeName.trimmedDescription
    }
  }

  /// Whether using the declaration is an error on this platform.
  fileprivate var makeUnavailable: Bool {
    contains { element in
      guard case .attribute(let attribute) = element,
        attribute.attributeName.trimmedDescription == "available",
        let tokens = attribute.arguments?.tokens(viewMode: .sourceAccurate).map(\.text)
      else { return false }
      return ["*", "swift", "Linux"].contains(tokens.first)
        && (tokens.contains("unavailable") || tokens.contains("obsoleted"))
    }
  }
}

extension PatternSyntax {
  /// The names that the pattern declares, including the names in a tuple.
  fileprivate var readableNames: [TokenSyntax] {
    if let name = `as`(IdentifierPatternSyntax.self) { return [name.identifier.trimmed] }
    guard let tuple = `as`(TuplePatternSyntax.self) else { return [] }
    return tuple.elements.flatMap { $0.pattern.readableNames }
  }
}

extension PatternBindingSyntax {
  /// Whether the property is stored, or has a getter that does not mutate the instance, is not
  /// asynchronous and does not throw.
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
