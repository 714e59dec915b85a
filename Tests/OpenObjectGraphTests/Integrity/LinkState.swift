import Foundation
import OpenCoreData
import Testing

/// The relationships of a context's objects, by code.
struct LinkState: Equatable {
  /// Codes of destinations by relationship name and by code; nil in a list for a destination without a row.
  var links: [Int: [String: [Int?]]] = [:]
  /// The destinations of references without inverse, by code; their rows can be deleted later.
  private var notes: [Int: URL] = [:]

  /// Reads everything from a context.
  init(of context: NSManagedObjectContext) throws {
    let owners = try context.links("LinkOwner")
    let items = try context.links("LinkItem")
    let present = Set((owners + items).map(\.objectID))
    for object in owners + items {
      let entity = owners.contains(object) ? "LinkOwner" : "LinkItem"
      var own: [String: [Int?]] = [:]
      for name in LinkModel.toOne[entity] ?? [] {
        guard let destination = object.linkedObject(name) else { continue }
        if name == "note" { notes[object.linkCode] = destination.objectID.uriRepresentation() }
        own[name] = [present.contains(destination.objectID) ? destination.linkCode : nil]
      }
      for name in LinkModel.toMany[entity] ?? [] {
        let members = object.linkedMembers(name)
        var codes = members.map { present.contains($0.objectID) ? $0.linkCode : nil }
        if !LinkModel.ordered.contains(name) { codes.sort { $0 ?? -1 < $1 ?? -1 } }
        if !codes.isEmpty { own[name] = codes }
      }
      links[object.linkCode] = own
    }
  }

  /// Returns the inconsistencies of the references: destinations without a row, and sides that
  /// disagree.
  ///
  /// - Parameter former: The previous state, because an existing reference without inverse may have lost its row.
  func faults(since former: LinkState?) -> [String] {
    var faults: [String] = []
    for (code, own) in links.sorted(by: { $0.key < $1.key }) {
      for (name, codes) in own.sorted(by: { $0.key < $1.key }) where codes.contains(nil) {
        if name == "note", former?.notes[code] == notes[code] { continue }
        faults.append("\(code).\(name) leads to no row")
      }
      for (_, name, inverse) in LinkModel.pairs {
        guard let destination = own[name]?.first, let destination else { continue }
        if links[destination]?[inverse] != [code] {
          faults.append(
            "\(code).\(name) = \(destination), but \(destination).\(inverse) = "
              + "\(links[destination]?[inverse] ?? [])")
        }
      }
    }
    return faults
  }

  static func == (one: LinkState, other: LinkState) -> Bool { one.links == other.links }

  /// Returns the relationships that differ from another state; does not compare destinations
  /// without a row.
  func differences(from other: LinkState) -> [String] {
    var differences: [String] = []
    for code in Set(links.keys).union(other.links.keys).sorted() {
      guard let mine = links[code], let theirs = other.links[code] else {
        differences.append("\(code) is \(links[code] == nil ? "missing" : "too much")")
        continue
      }
      for name in Set(mine.keys).union(theirs.keys).sorted() where mine[name] != theirs[name] {
        if (mine[name] ?? []).contains(nil) || (theirs[name] ?? []).contains(nil) { continue }
        differences.append("\(code).\(name) is \(mine[name] ?? []), stored \(theirs[name] ?? [])")
      }
    }
    return differences
  }
}
