import SwiftSyntax

/// A visitor that collects the edits for one file. An extension of the visitor handles each kind of
/// syntax.
final class RewritingVisitor: SyntaxVisitor {
  let source: ParsedSource
  /// The index of the file among the files of the module.
  let number: Int
  let known: ClassDeclarations.Known
  var edits = TextEdits()
  var problems: [RewriteError.Problem] = []
  /// Whether the file uses names of the Objective-C runtime library that a product of this package
  /// declares.
  private var usesRuntimeNames = false
  private var importsCoreData = false
  /// Whether the file contains attributes of this package.
  var usesMacros = false
  /// The members that are added to each class of the module because of its extensions.
  var extended: [ClassDeclarations.Declaration: ExtendedClass] = [:]
  /// The identifiers of the renamed members of extensions.
  var renamed: Set<SyntaxIdentifier> = []

  init(_ source: ParsedSource, number: Int, known: ClassDeclarations.Known) {
    self.source = source
    self.number = number
    self.known = known
    super.init(viewMode: .sourceAccurate)
  }

  /// The imports to insert at the start of the file: `CoreData` for added attributes, or the module
  /// of the runtime names. The text is empty if the file imports `CoreData`, which also provides
  /// the runtime names.
  var imports: String {
    if importsCoreData { return "" }
    if usesMacros { return "import CoreData\n" }
    return usesRuntimeNames ? "import \(Self.runtimeNamesModule)\n" : ""
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    if known.isManaged(node.typePath, inFile: number) {
      makeReadable(node)
      nameClass(node)
      extend(node)
    } else {
      if node.canBeReadable { makeReadable(node) }
      markName(of: node)
    }
    return .visitChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    bindToClasses(node)
    return .visitChildren
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    rewrite(node)
    return .skipChildren
  }

  override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
    if node.name.tokenKind == .keyword(.dynamic) { remove(node) }
    rewriteModifierOfRequired(node)
    rewriteModifier(node)
    return .skipChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    addRequired(to: node)
    return .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.attributes.named("NSManaged") != nil { split(node) }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.attributes.named("NSManaged") != nil { nameParameters(of: node) }
    return .visitChildren
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    rewriteImport(node)
    // An import of a single declaration does not provide the macros.
    if node.path.first?.name.plainName == "CoreData", node.importKindSpecifier == nil,
      PlatformCondition.isActive(node) == true
    {
      importsCoreData = true
    }
    return .skipChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if Self.runtimeNames.contains(node.baseName.text) { usesRuntimeNames = true }
    return .visitChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    switch node.macroName.text {
    case "keyPath": rewriteKeyPath(node)
    case "selector": rewriteSelector(node)
    default: return .visitChildren
    }
    return .skipChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    rewriteCasts(in: node)
    return .visitChildren
  }

  override func visit(_ node: IsTypePatternSyntax) -> SyntaxVisitorContinueKind {
    if isErased(node.type) { refusePattern(node) }
    return .visitChildren
  }

  // MARK: Edits

  /// Reports a problem at a node. The method ignores a node that is certainly not compiled on this
  /// platform.
  func report(_ message: String, at node: some SyntaxProtocol) {
    if PlatformCondition.isActive(node) == false { return }
    problems.append(source.problem(message, at: node))
  }

  /// Replaces a node without changing the number of line ends.
  func replace(_ node: some SyntaxProtocol, with text: String) {
    replace(node.visibleRange, with: text)
  }

  func replace(_ range: Range<Int>, with text: String) {
    edits.replace(range, with: text + lineEnds(in: range))
  }

  /// Removes a node and the blanks after the node, without changing the number of line ends.
  func remove(_ node: some SyntaxProtocol) {
    let range = node.visibleRange
    let blanks = source.bytes[range.upperBound...].prefix { $0 == 0x20 || $0 == 0x09 }
    replace(range.lowerBound..<range.upperBound + blanks.count, with: "")
  }

  private func lineEnds(in range: Range<Int>) -> String {
    String(repeating: "\n", count: range.count { source.bytes.endsLine(at: $0) })
  }
}

extension SyntaxProtocol {
  /// The byte range of a node without surrounding whitespace and comments.
  var visibleRange: Range<Int> {
    let start = positionAfterSkippingLeadingTrivia.utf8Offset
    return start..<max(start, endPositionBeforeTrailingTrivia.utf8Offset)
  }

  /// The tokens of a node on one line, without comments.
  var oneLine: String {
    var text = ""
    var isApart = false
    for token in tokens(viewMode: .sourceAccurate) {
      let needsBlank = !text.isEmpty && (isApart || !token.leadingTrivia.isEmpty)
      text += (needsBlank ? " " : "") + token.text
      isApart = !token.trailingTrivia.isEmpty
    }
    return text
  }
}
