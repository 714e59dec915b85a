import Foundation
import TerminalView
import Testing

/// Errors as people read them.
@Suite("Sentences of errors")
struct ErrorTextTests {
  private enum Localized: LocalizedError {
    case broken(String)
    var errorDescription: String? { "It is broken." }
  }

  private struct Described: LocalizedError, CustomStringConvertible {
    let description = "Described."
    var errorDescription: String? { "Localized." }
  }

  private enum Plain: Error { case plain }

  @Test("an error's description precedes its localized description, which precedes its case")
  func sentences() {
    #expect(ErrorText.sentence(of: Localized.broken("part")) == "It is broken.")
    #expect(ErrorText.sentence(of: Described()) == "Described.")
    #expect(ErrorText.sentence(of: Plain.plain) == "plain")
    let missing = CocoaError(.fileNoSuchFile)
    #expect(ErrorText.sentence(of: missing) == missing.localizedDescription)
  }
}
