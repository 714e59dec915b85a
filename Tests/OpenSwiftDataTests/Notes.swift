import Foundation
import OpenSwiftData

// Models without relationships that several suites share.

@Model
final class Note {
  var title: String
  var count: Int = 3

  init(title: String) { self.title = title }
}

/// A model with some properties that history preserves.
@Model
final class Keepsake {
  enum Kind: String, Codable { case letter, photo }
  struct Origin: Codable, Equatable {
    var place: String
    var year: Int
  }

  @Attribute(.preserveValueOnDeletion) var title: String
  @Attribute(.preserveValueOnDeletion) var kind: Kind
  @Attribute(.preserveValueOnDeletion) var origin: Origin?
  @Attribute(.preserveValueOnDeletion) var found: Date?
  @Attribute(.preserveValueOnDeletion) var tags: [String] = []
  var text: String = ""

  init(title: String, kind: Kind) {
    self.title = title
    self.kind = kind
  }
}
