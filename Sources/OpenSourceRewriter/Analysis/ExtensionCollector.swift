import SwiftSyntax

/// A visitor that finds the members of extensions in a file that must be declared in the managed
/// classes.
final class ExtensionCollector: SyntaxVisitor {
  private let number: Int
  private let known: ClassDeclarations.Known
  private(set) var members: [(type: ClassDeclarations.Declaration, member: ExtensionMember)] = []

  init(number: Int, known: ClassDeclarations.Known) {
    self.number = number
    self.known = known
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let type = known.managedClass(extendedAs: node.typePath, inFile: number) else {
      return .visitChildren
    }
    let isVisible = known.isVisible(type)
    for declaration in node.memberBlock.members.allDeclarations
    where PlatformCondition.isActive(declaration) != false {
      guard let member = ExtensionMember(declaration, in: node, isVisible: isVisible) else {
        continue
      }
      members.append((type, member))
    }
    return .visitChildren
  }
}
