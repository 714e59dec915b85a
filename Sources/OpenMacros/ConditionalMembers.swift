import SwiftSyntax

/// A member of a type, with the `#if` condition under which it is compiled.
struct ConditionalMember {
  let declaration: DeclSyntax
  /// One expression for all enclosing `#if` directives; nil outside `#if` directives.
  let condition: String?
}

extension MemberBlockItemListSyntax {
  /// All members, including members in `#if` directives.
  var allMembers: [ConditionalMember] { members(under: nil) }

  private func members(under condition: String?) -> [ConditionalMember] {
    flatMap { member in
      guard let directive = member.decl.as(IfConfigDeclSyntax.self) else {
        return [ConditionalMember(declaration: member.decl, condition: condition)]
      }
      return directive.members(under: condition)
    }
  }

  fileprivate func nested(under condition: String?) -> [ConditionalMember] {
    members(under: condition)
  }
}

extension IfConfigDeclSyntax {
  /// Returns the members of all clauses. A clause applies only if the conditions of all earlier
  /// clauses are false.
  fileprivate func members(under outer: String?) -> [ConditionalMember] {
    var result: [ConditionalMember] = []
    var refuted: [String] = []
    for clause in clauses {
      let own = clause.condition.map { "(\($0.oneLine))" }
      let all = [outer].compactMap { $0 } + refuted + [own].compactMap { $0 }
      if case .decls(let members)? = clause.elements {
        result += members.nested(under: all.joined(separator: " && "))
      }
      if let own { refuted.append("!\(own)") }
    }
    return result
  }
}

extension SyntaxProtocol {
  /// The text of the node on one line.
  fileprivate var oneLine: String {
    String(trimmedDescription.map { $0.isNewline ? " " : $0 })
  }
}

/// Wraps lines of generated source in the `#if` directive of a condition.
func directive(_ condition: String?, around lines: String) -> String {
  condition.map { "#if \($0)\n\(lines)\n#endif" } ?? lines
}
