internal import SwiftParser
internal import SwiftSyntax

/// A rewriter that converts Swift sources for Apple's Core Data to sources that compile with this
/// library.
///
/// The rewriter changes only code that requires the Objective-C runtime or Apple's module
/// structure:
/// - attributes and key paths
/// - casts of fetch requests and results controllers
/// - selectors of sort descriptors
/// - imports of submodules
/// - members of extensions that must be declared in the class
///
/// All other text, including comments and layout, stays the same. Directives in the result refer to
/// the original lines, so the compiler's messages refer to the original file.
package enum SourceRewriter {
  /// Rewrites the sources of one module.
  ///
  /// The rewriter reads all files together, because another file may determine whether a class is a
  /// managed class.
  ///
  /// - Parameters:
  ///   - files: The sources. The result and error messages contain the paths of these sources.
  ///   - generated: Sources that were generated from the module's models. The method does not
  ///     rewrite these sources. If extensions require members in the generated classes, call
  ///     `extend` with the same arguments to add these members.
  ///   - context: Other sources of the module, and sources of targets that the module depends on.
  ///     The rewriter only reads these sources, and ignores a source that cannot be parsed.
  ///   - modules: The names of the module and of the modules that it depends on.
  /// - Returns: The rewritten texts, in the order of `files`.
  /// - Throws: `RewriteError` if a source cannot be parsed, or contains code that cannot be
  ///   rewritten. The error contains all problems in all files; if a source cannot be parsed, only
  ///   the problems of parsing.
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

  /// Adds to the classes of a generated source the members that extensions in the module's sources
  /// require.
  ///
  /// - Parameters:
  ///   - generated: The source that was generated from a model.
  ///   - files: The sources of the module that are rewritten. The method ignores a source that
  ///     cannot be parsed.
  ///   - others: The sources that were generated from the module's other models.
  ///   - context: Other sources of the module, and sources of targets that the module depends on.
  ///   - modules: The names of the module and of the modules that it depends on.
  /// - Returns: The source with the added members; nil if no members are added, or if the generated
  ///   source cannot be parsed.
  package static func extend(
    _ generated: SourceText, by files: [SourceText], besides others: [SourceText] = [],
    context: [SourceText] = [], modules: Set<String> = []
  ) -> String? {
    let source = ParsedSource(generated)
    guard source.problems.isEmpty,
      let visitor = visitors(
        of: readable(files) + readable(others) + [source], context: readable(context),
        modules: modules
      ).last
    else { return nil }
    let extending = ExtendingVisitor(visitor)
    extending.walk(source.tree)
    let text = visitor.edits.applied(to: source.bytes)
    return text == generated.text ? nil : text
  }

  private static func readable(_ texts: [SourceText]) -> [ParsedSource] {
    texts.map { ParsedSource($0) }.filter { $0.problems.isEmpty }
  }

  /// Returns the visitors of a module's files. Each visitor has the members that the extensions in
  /// all files require in its classes.
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

  /// Renames the members of extensions that must be declared in a class, and returns the members to
  /// add to each class.
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

/// A source file to rewrite.
package struct SourceText: Sendable {
  /// The path of the file, as used in messages.
  package let path: String
  /// The text of the file.
  package let text: String

  /// Creates a source file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, as used in messages.
  ///   - text: The text of the file.
  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
