import Foundation
import OpenStoreContract

/// Copies the external files that the rows of a copied database refer to into the folder of the
/// copy.
///
/// Confined to the operation that makes the copy.
final class ExternalAdoption {
  private let source: StoreFiles
  private let destination: StoreFiles
  /// The external files that the rows of the copy refer to.
  private(set) var names: Set<String> = []
  /// The files that the operation added.
  private var added: [String] = []
  private var mark: CopyMark?

  init(from source: StoreFiles, to destination: StoreFiles) {
    self.source = source
    self.destination = destination
  }

  /// Copies the files. In the folder of the source, the copies receive new names, so that neither
  /// store deletes the other's files.
  ///
  /// - Parameter connection: A connection to the copied database.
  func adopt(namedBy connection: Connection) throws(StoreError) {
    let references = try ExternalReferences(on: connection)
    var places: [ExternalReferences.Place] = []
    try references.forEach { places.append($0) }
    guard !places.isEmpty else { return }
    let (from, to) = (ExternalFiles(source), ExternalFiles(destination))
    mark = try CopyMark(in: to)
    let isShared = source.externalFolder.path == destination.externalFolder.path
    // Attributes that are derived from others refer to the same files.
    var copies: [String: String] = [:]
    if isShared { try connection.run("BEGIN IMMEDIATE") }
    for place in places {
      let name = copies[place.fileName] ?? (isShared ? UUID().uuidString : place.fileName)
      if copies.updateValue(name, forKey: place.fileName) == nil,
        try to.adopt(place.fileName, as: name, from: from)
      {
        added.append(name)
      }
      if isShared { try references.replace(place, with: name) }
    }
    if isShared { try connection.run("COMMIT") }
    names = Set(copies.values)
  }

  /// Removes the mark after the copy has received its final name.
  func settle() { mark?.remove() }

  /// Deletes the copied files.
  func discard() {
    for name in added { ExternalFiles(destination).remove(name) }
    settle()
  }
}
