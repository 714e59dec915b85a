internal import SwiftParser
internal import SwiftSyntax

/// Turns Swift sources that were written for Apple's Core Data into sources that compile with this library.
///
/// Works on the text as written and changes only what needs the Objective-C runtime: attributes, key paths, casts of
/// fetch requests and results controllers, selectors of sort descriptors, imports of submodules, members of extensions that
/// a class itself has to have. Everything else, comments and layout included, stays byte for byte, and each line says where
/// it was written, so that the compiler's messages point at the original file.
package enum SourceRewriter {
  /// Rewrites the sources of one module.
  ///
  /// They are read together, because whether a class is a managed one may only be seen in another file.
  ///
  /// - Parameters:
  ///   - files: The sources; their paths end up in the result and in error messages.
  ///   - generated: Sources of the module that are written of its models. What their classes get from extensions,
  ///     ``extend(_:by:modules:)`` writes into them.
  ///   - context: Sources of targets that the module depends on; they are only read. One that does not parse is omitted.
  ///   - modules: The names of the module and of those that it depends on.
  /// - Returns: One text for each file, in the same order.
  /// - Throws: `RewriteError` with everything that is wrong in any of the files.
  package static func rewrite(
    _ files: [SourceText], generated: [SourceText] = [], context: [SourceText] = [],
    modules: Set<String> = []
  ) throws(RewriteError) -> [String] {
    let parsed = files.map { ParsedSource($0) }
    let problems = parsed.flatMap(\.problems)
    guard problems.isEmpty else { throw RewriteError(problems: problems) }
    let visitors = visitors(
      of: parsed + readable(generated), context: readable(context), modules: modules
    ).prefix(files.count)
    var failures: [RewriteError.Problem] = []
    let texts = visitors.map { rewriting in
      let source = rewriting.source
      rewriting.walk(source.tree)
      failures += rewriting.problems
      return rewriting.imports + source.directive + rewriting.edits.applied(to: source.bytes)
    }
    guard failures.isEmpty else { throw RewriteError(problems: failures) }
    return texts
  }

  /// Gives the classes of a generated source what they get from extensions in the sources of their module.
  ///
  /// - Parameters:
  ///   - generated: The source, as it is written of a model.
  ///   - files: The sources of the module; those that do not parse are omitted.
  ///   - modules: The names of the module and of those that it depends on.
  /// - Returns: The source with the members.
  package static func extend(
    _ generated: SourceText, by files: [SourceText], modules: Set<String> = []
  ) -> String {
    let sources = readable(files)
    let source = ParsedSource(generated)
    guard source.problems.isEmpty,
      let visitor = visitors(of: sources + [source], context: [], modules: modules).last
    else { return generated.text }
    let extending = ExtendingVisitor(visitor)
    extending.walk(source.tree)
    return visitor.edits.applied(to: source.bytes)
  }

  private static func readable(_ texts: [SourceText]) -> [ParsedSource] {
    texts.map { ParsedSource($0) }.filter { $0.problems.isEmpty }
  }

  /// Visitors of the files of a module, each knowing what its classes get from extensions of all files.
  private static func visitors(
    of sources: [ParsedSource], context: [ParsedSource], modules: Set<String>
  ) -> [RewritingVisitor] {
    var declarations = ClassDeclarations()
    for source in sources { declarations.add(source.tree) }
    declarations.endModule()
    for source in context { declarations.add(source.tree) }
    let known = declarations.resolved(modules: modules)
    let visitors = sources.enumerated().map { index, source in
      RewritingVisitor(source, number: index, known: known)
    }
    let extended = membersOfExtensions(in: visitors)
    for visitor in visitors { visitor.extended = extended }
    return visitors
  }

  /// Renames the members of extensions that classes of any of the files have to have, and says what the classes get.
  private static func membersOfExtensions(
    in visitors: [RewritingVisitor]
  ) -> [ClassDeclarations.Declaration: ExtendedClass] {
    var extended: [ClassDeclarations.Declaration: ExtendedClass] = [:]
    for visitor in visitors {
      let collector = ExtensionCollector(number: visitor.number, known: visitor.known)
      collector.walk(visitor.source.tree)
      for (type, member) in collector.members { visitor.move(member, of: type) }
      extended.merge(visitor.extended) { $0 + $1 }
    }
    return extended
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
