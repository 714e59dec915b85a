import OpenMacros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import SwiftSyntaxMacrosTestSupport
import XCTest

/// Checks an expansion; `conforms` says that the superclass is readable by key already, `lists` that key paths are to be listed.
func checkReadableByKey(
  _ source: String, expandsTo expansion: String, conforms: Bool = false, lists: Bool = false,
  diagnostics: [DiagnosticSpec] = [], file: StaticString = #filePath, line: UInt = #line
) {
  let spec = MacroSpec(
    type: ReadableByKeyMacro.self,
    conformances: conforms
      ? [] : ["KeyValueReadable"] + (lists ? ["__KeyPathListing"] : []))
  assertMacroExpansion(
    source, expandedSource: expansion, diagnostics: diagnostics,
    macroSpecs: ["ReadableByKey": spec], indentationWidth: .spaces(2), file: file, line: line)
}
