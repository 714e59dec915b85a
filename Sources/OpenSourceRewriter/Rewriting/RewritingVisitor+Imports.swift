import SwiftSyntax

extension RewritingVisitor {
  /// The module with the names of Objective-C's run time library.
  static var runtimeNamesModule: String { "OpenObjectiveCNames" }

  /// Names in that module which do not come with Foundation.
  static let runtimeNames: Set<String> = [
    "autoreleasepool", "objc_sync_enter", "objc_sync_exit", "CFAbsoluteTimeGetCurrent",
  ]

  /// Modules that have submodules on Apple platforms only.
  private static var withSubmodules: Set<String> { ["CoreData", "Foundation"] }

  /// Replaces the import of a submodule by that of its module, and of Objective-C's run time by the one that is here.
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
