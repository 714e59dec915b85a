import Foundation
import OpenObjectGraph
import OpenPersistenceKit

/// The integrity check of the command `verify`.
package enum Verification {
  /// Returns one row for each finding of an integrity check: a violation of the model, or damage to
  /// the store. The result is empty for a valid store.
  ///
  /// - Parameter store: An open store.
  /// - Throws: `ToolError` with status `.unreadable` if the store cannot be read.
  package static func findings(in store: InspectedStore) throws -> [[OutputValue.Field]] {
    let findings: [IntegrityFinding]
    do {
      findings = try IntegrityCheck().findings(in: store.coordinator)
    } catch {
      throw ToolError(
        .unreadable, "\(InspectedStore.name(of: store.url)): \(InspectedStore.sentence(for: error))"
      )
    }
    var known: Set<IntegrityFinding> = []
    return findings.filter { known.insert($0).inserted }.map { finding in
      [
        .init("finding", .text(finding.kind.rawValue)), .init("entity", text(finding.entityName)),
        .init("property", text(finding.propertyName)),
        .init("object", text(finding.objectID?.uriRepresentation().absoluteString)),
        .init("related", text(finding.relatedID?.uriRepresentation().absoluteString)),
        .init("message", .text(finding.message)),
      ]
    }
  }

  private static func text(_ text: String?) -> OutputValue { text.map { .text($0) } ?? .null }
}
