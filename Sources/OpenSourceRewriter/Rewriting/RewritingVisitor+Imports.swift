import SwiftSyntax

extension RewritingVisitor {
  /// The module that declares the names of the Objective-C runtime library.
  static var runtimeNamesModule: String { "OpenObjectiveCNames" }

  /// The names in the module ``runtimeNamesModule`` that Foundation does not provide.
  static let runtimeNames: Set<String> = [
    "autoreleasepool", "objc_sync_enter", "objc_sync_exit", "CFAbsoluteTimeGetCurrent",
  ]

  /// The modules that have submodules only on Apple platforms.
  private static var withSubmodules: Set<String> { ["CoreData", "Foundation"] }

  /// Replaces the import of a submodule by an import of its module, and the import of the
  /// Objective-C runtime by an import of ``runtimeNamesModule``.
  func rewriteImport(_ node: ImportDeclSyntax) {
    guard node.importKindSpecifier == nil, let first = node.path.first else { return }
    let end = node.path.visibleRange.upperBound
    if first.name.plainName == "ObjectiveC" {
      replace(first.name.visibleRange.lowerBound..<end, with: Self.runtimeNamesModule)
    } else if Self.withSubmodules.contains(first.name.plainName), node.path.count > 1 {
      replace(first.name.visibleRange.upperBound..<end, with: "")
    }
  }
}
