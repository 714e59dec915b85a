import SwiftSyntaxMacrosGenericTestSupport

/// Goldens of `@ModelActor`.
final class ModelActorMacroTests: ModelExpansionTestCase {
  private func initializer(_ access: String) -> String {
    """

      \(access)init(modelContainer: __ModelContainer) {
        self.modelExecutor = __DefaultSerialModelExecutor(modelContext: __ModelContext(modelContainer))
        self.modelContainer = modelContainer
      }
    """
  }

  private let conformance = "\n}\n\nextension Importer: __ModelActor {\n}"

  func testAnActorGetsAContextAndItsExecutor() {
    for (modifier, access) in ["": "", "public ": "public ", "package ": "package "] {
      check(
        "@ModelActor\n\(modifier)actor Importer {\n}",
        expandsTo: """
          \(modifier)actor Importer {

            \(access)nonisolated let modelExecutor: any __ModelExecutor

            \(access)nonisolated let modelContainer: __ModelContainer
          \(initializer(access))
          """ + conformance)
    }
  }

  func testMembersOfTheActorStayAsTheyAre() {
    check(
      """
      @ModelActor
      actor Importer {
        nonisolated let modelContainer: ModelContainer
        init(modelContainer: ModelContainer) {
          self.modelContainer = modelContainer
        }
      }
      """,
      expandsTo: """
        actor Importer {
          nonisolated let modelContainer: ModelContainer
          init(modelContainer: ModelContainer) {
            self.modelContainer = modelContainer
          }

          nonisolated let modelExecutor: any __ModelExecutor
        """ + conformance)
  }

  func testAnActorWithPropertiesThatNeedValuesHasItsOwnInitializers() {
    let members = """

        nonisolated let modelExecutor: any __ModelExecutor

        nonisolated let modelContainer: __ModelContainer
      """
    for property in ["let name: String", "var name: String", "let name: String?"] {
      check(
        "@ModelActor\nactor Importer {\n  \(property)\n}",
        expandsTo: "actor Importer {\n  \(property)\n\(members)" + conformance)
    }
    for property in ["let name = 1", "var name: String?", "var name: String { \"\" }"] {
      check(
        "@ModelActor\nactor Importer {\n  \(property)\n}",
        expandsTo: "actor Importer {\n  \(property)\n\(members)\n\(initializer(""))" + conformance)
    }
  }

  func testAClassIsRefused() {
    check(
      "@ModelActor\npublic final class Importer {\n}",
      expandsTo: "public final class Importer {\n}",
      diagnostics: [
        DiagnosticSpec(
          message: "'@ModelActor' can only be applied to an actor", line: 1, column: 1,
          fixIts: [FixItSpec(message: "replace 'class' with 'actor'")])
      ],
      fixedBy: "replace 'class' with 'actor'", to: "@ModelActor\npublic actor Importer {\n}")
  }

  func testAStructureIsRefused() {
    check(
      "@ModelActor\nstruct Importer {\n}", expandsTo: "struct Importer {\n}",
      diagnostics: [
        DiagnosticSpec(
          message: "'@ModelActor' can only be applied to an actor", line: 1, column: 1)
      ])
  }
}
