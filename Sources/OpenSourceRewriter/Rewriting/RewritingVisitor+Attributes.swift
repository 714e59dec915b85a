import SwiftSyntax

extension RewritingVisitor {
  /// Rewrites a modifier of an initializer that this library requires: replaces `override`, and
  /// widens the access.
  ///
  /// A required initializer must be accessible wherever the class can be subclassed. An initializer
  /// that overrides another one may be private.
  func rewriteModifierOfRequired(_ node: DeclModifierSyntax) {
    guard let initializer = node.parent?.parent?.as(InitializerDeclSyntax.self),
      isRequired(initializer)
    else { return }
    switch node.name.tokenKind {
    case .keyword(.override): replace(node, with: initializer.requiredModifiers)
    case .keyword(.private), .keyword(.fileprivate), .keyword(.internal), .keyword(.package):
      if initializer.isInOpenClass {
        replace(node, with: "public")
      } else if [.keyword(.private), .keyword(.fileprivate)].contains(node.name.tokenKind) {
        remove(node)
      }
    default: return
    }
  }

  /// Adds `required` to an `init(context:)` without `override`.
  ///
  /// On Apple platforms, the initializer of the superclass is a convenience initializer, which
  /// subclasses and their extensions declare again without a modifier. The method reports an
  /// initializer that cannot be `required`.
  func addRequired(to node: InitializerDeclSyntax) {
    let isMarked = node.modifiers.contains {
      [.keyword(.override), .keyword(.required)].contains($0.name.tokenKind)
    }
    guard !isMarked, node.isRequiredInLibrary else { return }
    if node.isInExtension {
      guard let type = known.managedClass(extendedAs: node.enclosingPath, inFile: number) else {
        return
      }
      return report(
        "this initializer is required and cannot be declared in an extension; move it into the class '\(type.name)'",
        at: node)
    }
    guard isRequired(node) else { return }
    if node.optionalMark != nil {
      return report(
        "this initializer is required and cannot return nil; make it non-failable, or rename its first parameter",
        at: node)
    }
    edits.insert(node.requiredModifiers + " ", at: node.initKeyword.visibleRange.lowerBound)
  }

  /// Returns whether a managed class itself declares one of the initializers that are `required` in
  /// this library.
  private func isRequired(_ node: InitializerDeclSyntax) -> Bool {
    node.isRequiredInLibrary && !node.isInExtension
      && known.isManaged(node.enclosingPath, inFile: number)
  }

  /// The attributes that have a meaning only for Objective-C and its tools.
  static var dropped: Set<String> {
    [
      "objc", "objcMembers", "nonobjc", "IBAction", "IBDesignable", "IBInspectable", "IBOutlet",
      "IBSegueAction", "GKInspectable",
    ]
  }

  /// Replaces or removes an attribute.
  func rewrite(_ attribute: AttributeSyntax) {
    guard let name = attribute.simpleName else { return }
    if name == "NSManaged" { return rewriteManaged(attribute) }
    if name == "objc", let type = attribute.owner?.as(ClassDeclSyntax.self), names(type, attribute)
    {
      return replace(attribute, withMacro: managedObject(type))
    }
    if Self.dropped.contains(name) { remove(attribute) }
  }

  /// Adds `@ManagedObject` to a managed class without `@objc`, so that the library finds the
  /// class's validation methods.
  func nameClass(_ type: ClassDeclSyntax) {
    guard canBeNamed(type), type.attributes.named("objc") == nil else { return }
    insert(managedObject(type), before: type)
  }

  /// Adds an empty class with the name of a class in `@objc(Name)`, by which models and archives
  /// find a class that is not managed.
  func markName(of type: ClassDeclSyntax) {
    guard type.canBeMarked, let name = objectiveCName(type), name != type.name.plainName else {
      return
    }
    edits.insert(
      " private final class __ManagedClassName_\(name) {};",
      at: type.memberBlock.leftBrace.visibleRange.upperBound)
  }

  /// Adds to a protocol with `@objc` the class constraint that the attribute implies.
  func bindToClasses(_ type: ProtocolDeclSyntax) {
    guard type.attributes.named("objc") != nil else { return }
    guard let first = type.inheritanceClause?.inheritedTypes.first else {
      return edits.insert(": AnyObject", at: type.name.visibleRange.upperBound)
    }
    let isBound = type.inheritanceClause?.inheritedTypes.contains { inherited in
      ["AnyObject", "NSObjectProtocol"].contains(inherited.type.simpleName)
        || inherited.type.is(ClassRestrictionTypeSyntax.self)
    }
    if isBound != true { edits.insert("AnyObject, ", at: first.visibleRange.lowerBound) }
  }

  /// Adds `@ReadableByKey` to a class whose properties Objective-C could read by key.
  func makeReadable(_ type: ClassDeclSyntax) {
    guard canBeNamed(type), type.attributes.named("ReadableByKey") == nil,
      hasReaders(type)
        || type.memberBlock.members.allDeclarations.contains(where: { isVisible($0, in: type) })
    else { return }
    insert("@ReadableByKey", before: type)
  }

  /// Inserts the attribute of a macro before a class.
  func insert(_ attribute: String, before type: ClassDeclSyntax) {
    usesMacros = true
    let start = type.modifiers.first?.visibleRange ?? type.classKeyword.visibleRange
    edits.insert(attribute + " ", at: start.lowerBound)
  }

  /// Returns whether a member is an instance property that Objective-C could find by name and that
  /// is not a property of the model.
  private func isVisible(_ member: DeclSyntax, in type: ClassDeclSyntax) -> Bool {
    guard let variable = member.as(VariableDeclSyntax.self),
      variable.attributes.named("NSManaged") == nil, variable.attributes.named("nonobjc") == nil,
      !variable.modifiers.contains(where: {
        [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind)
      })
    else { return false }
    return variable.attributes.named("objc") != nil || type.attributes.named("objcMembers") != nil
  }

  /// Returns whether `@ManagedObject` replaces an attribute of a class. Attributes in conditional
  /// blocks are removed instead.
  private func names(_ type: ClassDeclSyntax, _ attribute: AttributeSyntax) -> Bool {
    canBeNamed(type) && type.attributes.named("objc")?.id == attribute.id
      && known.isManaged(type.typePath, inFile: number)
  }

  private func canBeNamed(_ type: ClassDeclSyntax) -> Bool {
    type.inheritanceClause != nil && type.genericParameterClause == nil
      && type.attributes.named("ManagedObject") == nil
  }

  /// Returns the attribute `@ManagedObject`, with the name in `@objc(Name)` if there is one.
  private func managedObject(_ type: ClassDeclSyntax) -> String {
    objectiveCName(type).map { "@ManagedObject(\"\($0)\")" } ?? "@ManagedObject"
  }

  private func objectiveCName(_ type: ClassDeclSyntax) -> String? {
    type.attributes.all(named: "objc").compactMap(\.argumentText).first(where: \.isIdentifier)
  }

  private func replace(_ attribute: AttributeSyntax, withMacro text: String) {
    usesMacros = true
    replace(attribute, with: text)
  }

  private func rewriteManaged(_ attribute: AttributeSyntax) {
    if let function = attribute.owner?.as(FunctionDeclSyntax.self) {
      replace(attribute, withMacro: "@ManagedAccessor" + argument(accessorKey(function)))
    } else if let variable = attribute.owner?.as(VariableDeclSyntax.self) {
      replace(attribute, withMacro: "@Managed" + argument(propertyKey(variable)))
    }
  }

  private func argument(_ key: String?) -> String { key.map { "(\"\($0)\")" } ?? "" }

  /// Returns the key of a property whose Objective-C name differs from its Swift name; otherwise,
  /// returns nil.
  private func propertyKey(_ variable: VariableDeclSyntax) -> String? {
    let pattern = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)
    guard let name = variable.attributes.named("objc")?.argumentText, name.isIdentifier,
      variable.bindings.count == 1, name != pattern?.identifier.plainName
    else { return nil }
    return name
  }

  /// Returns the key of an accessor if the key cannot be derived from the accessor's Swift name;
  /// otherwise, returns nil.
  ///
  /// The properties `eBooks` and `EBooks` both have the accessor `addToEBooks`, and the selector
  /// `addLostObject:` belongs to `lost` or to `lostObject`. The method's name and the declared
  /// properties of the class determine the key.
  private func accessorKey(_ function: FunctionDeclSyntax) -> String? {
    let method = AccessorSelector.capitalizedName(inMethod: function.name.plainName)
    let selector = function.attributes.named("objc")?.argumentText ?? ""
    let type = function.enclosingPath
    func declaredKey(_ name: String) -> String? {
      [AccessorSelector.lowercasedFirst(name), name].first { known.declares($0, in: type) }
    }
    let names = AccessorSelector.capitalizedNames(in: selector)
    let chosen =
      names.first { $0 == method } ?? names.first { declaredKey($0) != nil } ?? names.first
    guard let name = chosen ?? method else { return nil }
    let key = declaredKey(name) ?? AccessorSelector.probableName(name)
    return key == method.map(AccessorSelector.lowercasedFirst) ? nil : key
  }

  /// Adds names to parameters that have neither a label nor a name, because a function body could
  /// not use such parameters.
  func nameParameters(of function: FunctionDeclSyntax) {
    let parameters = function.signature.parameterClause.parameters
    for (index, parameter) in parameters.enumerated()
    where parameter.firstName.tokenKind == .wildcard && parameter.secondName == nil {
      let name = index == 0 ? " value" : " value\(index + 1)"
      edits.insert(name, at: parameter.firstName.visibleRange.upperBound)
    }
  }

  /// Splits a declaration of several properties into one declaration for each property, without
  /// changing the lines.
  func split(_ variable: VariableDeclSyntax) {
    let bindings = Array(variable.bindings)
    guard bindings.count > 1 else { return }
    let introduction = attributes(of: variable) + "@Managed " + modifiers(of: variable) + "var"
    var type: String?
    for binding in bindings.reversed() {
      if let own = binding.typeAnnotation {
        type = own.type.oneLine
      } else if let type {
        edits.insert(": \(type)", at: binding.pattern.visibleRange.upperBound)
      }
      if let comma = binding.trailingComma {
        edits.replace(comma.visibleRange, with: "; \(introduction)")
      }
    }
  }

  private func modifiers(of variable: VariableDeclSyntax) -> String {
    variable.modifiers.filter { $0.name.tokenKind != .keyword(.dynamic) }
      .map { "\($0.oneLine) " }.joined()
  }

  /// Returns the attributes that each property of a declaration keeps, each followed by a space.
  private func attributes(of variable: VariableDeclSyntax) -> String {
    var text = ""
    for element in variable.attributes {
      guard case .attribute(let attribute) = element else {
        report(
          "a declaration of several properties cannot have conditional attributes; declare each property separately",
          at: variable)
        continue
      }
      let name = attribute.simpleName ?? ""
      if name != "NSManaged", !Self.dropped.contains(name) { text += attribute.oneLine + " " }
    }
    return text
  }
}

extension InitializerDeclSyntax {
  /// Whether the parameters are those of an initializer that this library requires of managed
  /// classes: `init(entity:insertInto:)` or `init(context:)`.
  fileprivate var isRequiredInLibrary: Bool {
    let parameters = signature.parameterClause.parameters
    switch parameters.map(\.firstName.text) {
    case ["entity", "insertInto"]: return true
    case ["context"]: return parameters.first?.type.simpleName == "NSManagedObjectContext"
    default: return false
    }
  }

  /// The modifiers that make the initializer required: `required`, preceded by `public` in an open
  /// class if the initializer has no access modifier.
  fileprivate var requiredModifiers: String {
    let statesAccess = modifiers.contains {
      switch $0.name.tokenKind {
      case .keyword(.private), .keyword(.fileprivate), .keyword(.internal), .keyword(.package),
        .keyword(.public), .keyword(.open):
        true
      default: false
      }
    }
    return isInOpenClass && !statesAccess ? "public required" : "required"
  }

  fileprivate var isInOpenClass: Bool {
    var node = parent
    while let current = node {
      if let type = current.as(ClassDeclSyntax.self) {
        return type.modifiers.contains { $0.name.tokenKind == .keyword(.open) }
      }
      node = current.parent
    }
    return false
  }

  fileprivate var isInExtension: Bool {
    var node = parent
    while let current = node, !current.is(ClassDeclSyntax.self) {
      if current.is(ExtensionDeclSyntax.self) { return true }
      node = current.parent
    }
    return false
  }
}
