import CoreData
import Foundation

/// The mapping from version 2 of the model to version 3.
///
/// The mapping is inferred, except for artists, albums and tracks, whose new values are computed.
enum ArtistNameSplit {
  static func makeMapping() throws -> NSMappingModel {
    let source = try KanoraModel.make(version: 2)
    let destination = try KanoraModel.make(version: 3)
    // The sort name is required and has no default, so that only the policy provides one. Inferring the mapping requires a default.
    let inferable = try KanoraModel.make(version: 3)
    inferable.entitiesByName["Artist"]?.attributesByName["sortName"]?.defaultValue = ""
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: inferable)
    let policies = [
      "Artist": ArtistMigration.self, "Album": AlbumMigration.self, "Track": TrackMigration.self,
    ]
    for entity in mapping.entityMappings ?? [] {
      guard let name = entity.destinationEntityName else { continue }
      entity.destinationEntityVersionHash = destination.entityVersionHashesByName[name]
      guard let policy = policies[name] else { continue }
      entity.mappingType = .customEntityMappingType
      entity.entityMigrationPolicyClassName = "KanoraCore.\(policy)"
    }
    return mapping
  }
}

/// Creates an object as its mapping specifies, then computes the values that the old version lacks.
class ComputingMigration: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])
    for object in made { compute(object) }
  }

  func compute(_ object: NSManagedObject) {}
}

/// Separates the name of an artist from its sort name.
final class ArtistMigration: ComputingMigration {
  override func compute(_ object: NSManagedObject) {
    let stored = object.value(forKey: "name") as? String ?? ""
    let name = SortName.inOrder(stored)
    let sortName = object.value(forKey: "sortName") as? String ?? ""
    let wanted = sortName.isEmpty ? SortName.of(name) : sortName
    object.setValue(name, forKey: "name")
    object.setValue(wanted, forKey: "sortName")
    object.setValue(SearchText.fold(name), forKey: "nameKey")
    object.setValue(SearchText.fold(wanted), forKey: "sortKey")
  }
}

/// Computes the keys of an album.
final class AlbumMigration: ComputingMigration {
  override func compute(_ object: NSManagedObject) {
    let title = object.value(forKey: "title") as? String ?? ""
    let sortTitle = object.value(forKey: "sortTitle") as? String ?? SortName.of(title)
    object.setValue(SearchText.fold(title), forKey: "titleKey")
    object.setValue(SearchText.fold(sortTitle), forKey: "sortKey")
  }
}

/// Computes the keys of a track.
final class TrackMigration: ComputingMigration {
  override func compute(_ object: NSManagedObject) {
    for (key, folded) in [
      "title": "titleKey", "artistName": "artistKey", "genre": "genreKey",
    ] {
      let text = object.value(forKey: key) as? String
      object.setValue(text.map(SearchText.fold), forKey: folded)
    }
  }
}
