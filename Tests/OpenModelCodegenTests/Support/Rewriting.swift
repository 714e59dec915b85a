import OpenSourceRewriter
import Testing

/// One source after rewriting, without the directive before it and without the import of macros;
/// checks that no line moved.
func rewritten(_ source: String, modules: Set<String> = []) throws -> String {
  let text = try #require(
    try SourceRewriter.rewrite(
      [SourceText(path: "A.swift", text: source)], modules: modules
    ).first)
  let (added, directive) = (
    "import CoreData\n", "#sourceLocation(file: \"A.swift\", line: 1)\n"
  )
  let result = text.hasPrefix(added) ? String(text.dropFirst(added.count)) : text
  #expect(result.hasPrefix(directive))
  #expect(result.count { $0.isNewline } == source.count { $0.isNewline } + 1)
  return String(result.dropFirst(directive.count))
}

/// The first error in a source; nil if there is none.
func failure(
  _ source: String, modules: Set<String> = []
) throws -> RewriteError.Problem? {
  do {
    _ = try SourceRewriter.rewrite([SourceText(path: "A.swift", text: source)], modules: modules)
    return nil
  } catch {
    return error.problems.first
  }
}
