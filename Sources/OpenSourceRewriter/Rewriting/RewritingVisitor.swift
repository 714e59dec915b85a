import SwiftSyntax

/// Collects the edits that one file needs; each kind of syntax has its extension.
final class RewritingVisitor: SyntaxVisitor {
  let source: ParsedSource
  /// The file's place among those of the module.
  let number: Int
  let known: ClassDeclarations.Known
  var edits = TextEdits()
  var problems: [RewriteError.Problem] = []
  /// Whether the file uses names of Objective-C's run time library that a product of this package has.
  private var usesRuntimeNames = false
  private var importsCoreData = false
  /// Whether a class that is not managed was given an attribute of this package.
  private var usesMacros = false
  /// What classes of the module get from their extensions.
  var extended: [ClassDeclarations.Declaration: ExtendedClass] = [:]
  /// Members of extensions that have another name now.
  var renamed: Set<SyntaxIdentifier> = []

  init(_ source: ParsedSource, number: Int, known: ClassDeclarations.Known) {
    self.source = source
    self.number = number
    self.known = known
    super.init(viewMode: .sourceAccurate)
  }

  /// Imports to put before the file: of Objective-C's names, unless `CoreData` brings them along, and of the attributes that were added.
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
    } else if node.canBeReadable {
      usesMacros = makeReadable(node) || usesMacros
    }
    return .visitChildren
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    rewrite(node)
    return .skipChildren
  }

  override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
    if node.name.tokenKind == .keyword(.dynamic) { remove(node) }
    if overridesRequired(node) { replace(node, with: "required") }
    rewriteModifier(node)
    return .skipChildren
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
    if node.path.first?.name.plainName == "CoreData", PlatformCondition.isActive(node) == true {
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

  /// Reports what is wrong with a node, unless the node is certainly not compiled here.
  func report(_ message: String, at node: some SyntaxProtocol) {
    if PlatformCondition.isActive(node) == false { return }
    problems.append(source.problem(message, at: node))
  }

  /// Replaces a node, keeping as many line ends as it had.
  func replace(_ node: some SyntaxProtocol, with text: String) {
    replace(node.visibleRange, with: text)
  }

  func replace(_ range: Range<Int>, with text: String) {
    edits.replace(range, with: text + lineEnds(in: range))
  }

  /// Removes a node with the blanks after it, keeping as many line ends as it had.
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
  /// The bytes of a node without blanks and comments around it.
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
