import SwiftSyntax

/// What the sources of a module say of their classes.
struct ClassDeclarations {
  /// The classes of a module, once all sources have been read.
  struct Known {
    /// Classes whose objects a context manages, by simple name.
    let managed: Set<String>
    /// All classes and types with extensions, by simple name.
    let names: Set<String>
  }

  private var subclasses: [String: [String]] = [:]
  private var managed: Set<String> = ["NSManagedObject"]
  private var names: Set<String> = []

  /// Notes the classes and extensions of one file.
  mutating func add(_ tree: SourceFileSyntax) {
    let collector = Collector(viewMode: .sourceAccurate)
    collector.walk(tree)
    names.formUnion(collector.names)
    managed.formUnion(collector.managed)
    for (superclass, classes) in collector.subclasses {
      subclasses[superclass, default: []] += classes
    }
  }

  /// The classes that inherit from a managed one, or have managed properties, with their subclasses.
  func resolved() -> Known {
    var managed = self.managed
    var waiting = Array(managed)
    while let name = waiting.popLast() {
      for subclass in subclasses[name] ?? [] where managed.insert(subclass).inserted {
        waiting.append(subclass)
      }
    }
    return Known(managed: managed, names: names)
  }

  private final class Collector: SyntaxVisitor {
    var subclasses: [String: [String]] = [:]
    var managed: Set<String> = []
    var names: Set<String> = []

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
      let name = node.name.plainName
      if let superclass = node.inheritanceClause?.inheritedTypes.first?.type.simpleName {
        subclasses[superclass, default: []].append(name)
      }
      note(name, node.memberBlock)
      return .visitChildren
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
      if let name = node.extendedType.simpleName { note(name, node.memberBlock) }
      return .visitChildren
    }

    private func note(_ name: String, _ members: MemberBlockSyntax) {
      names.insert(name)
      let hasManagedMember = members.members.contains { member in
        let attributes = member.decl.asProtocol((any WithAttributesSyntax).self)?.attributes
        return attributes?.named("NSManaged") != nil
      }
      if hasManagedMember { managed.insert(name) }
    }
  }
}
