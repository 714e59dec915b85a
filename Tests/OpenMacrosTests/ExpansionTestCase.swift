import OpenMacros
import SwiftSyntax
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import SwiftSyntaxMacrosTestSupport
import XCTest

/// Compares the macros' expansion of a source with the expected one.
class ExpansionTestCase: XCTestCase {
  private let macros: [String: any Macro.Type] = [
    "Managed": ManagedMacro.self,
    "ManagedAccessor": ManagedAccessorMacro.self,
    "ManagedObject": ManagedObjectMacro.self,
  ]

  /// Checks that `source` expands to `expansion` without any diagnostic.
  func check(
    _ source: String, expandsTo expansion: String, file: StaticString = #filePath,
    line: UInt = #line
  ) {
    assertMacroExpansion(
      source, expandedSource: expansion, macros: macros, indentationWidth: .spaces(2), file: file,
      line: line)
  }

  /// Checks that `source` expands to `expansion` and is rejected with one message, and how it can
  /// be
  /// fixed.
  func check(
    _ source: String, isRefusedWith message: String, atLine errorLine: Int, column: Int,
    leaving expansion: String, fixedBy fix: String? = nil, to fixedSource: String? = nil,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    let fixes = fix.map { [FixItSpec(message: $0)] } ?? []
    let diagnostic = DiagnosticSpec(
      message: message, line: errorLine, column: column, fixIts: fixes)
    assertMacroExpansion(
      source, expandedSource: expansion, diagnostics: [diagnostic], macros: macros,
      applyFixIts: fix.map { [$0] }, fixedSource: fixedSource, indentationWidth: .spaces(2),
      file: file, line: line)
  }
}
