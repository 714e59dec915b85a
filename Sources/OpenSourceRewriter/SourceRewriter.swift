internal import SwiftParser
internal import SwiftSyntax

/// Turns Swift sources that were written for Apple's Core Data into sources that compile with this library.
///
/// Works on the text as written and changes only what needs the Objective-C runtime: attributes, key paths, casts of
/// fetch requests and results controllers, selectors of sort descriptors, imports of submodules. Everything else, comments and layout included, stays byte for byte, and no line
/// moves, so that the compiler's messages point at the original file.
package enum SourceRewriter {
  /// Rewrites the sources of one module.
  ///
  /// They are read together, because whether a class is a managed one may only be seen in another file.
  ///
  /// - Parameters:
  ///   - files: The sources; their paths end up in the result and in error messages.
  ///   - context: Sources of targets that the module depends on; they are only read. One that does not parse is left out.
  ///   - modules: The names of the module and of those that it depends on.
  /// - Returns: One text for each file, in the same order.
  /// - Throws: `RewriteError` with everything that is wrong in any of the files.
  package static func rewrite(
    _ files: [SourceText], context: [SourceText] = [], modules: Set<String> = []
  ) throws(RewriteError) -> [String] {
    let parsed = files.map { ParsedSource($0) }
    let problems = parsed.flatMap(\.problems)
    guard problems.isEmpty else { throw RewriteError(problems: problems) }
    var declarations = ClassDeclarations()
    for source in parsed { declarations.add(source.tree) }
    for source in context.lazy.map(ParsedSource.init) where source.problems.isEmpty {
      declarations.add(source.tree)
    }
    let known = declarations.resolved(modules: modules)
    var failures: [RewriteError.Problem] = []
    let texts = parsed.enumerated().map { index, source in
      let rewriting = RewritingVisitor(source, number: index, known: known)
      rewriting.walk(source.tree)
      failures += rewriting.problems
      return rewriting.imports + source.directive + rewriting.edits.applied(to: source.bytes)
    }
    guard failures.isEmpty else { throw RewriteError(problems: failures) }
    return texts
  }
}

/// One source file before it is rewritten.
package struct SourceText: Sendable {
  /// Where the file lies, as messages should say it.
  package let path: String
  /// The whole text.
  package let text: String

  /// A file with its text.
  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
