import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

@Suite("Tables of other programs in the schema of a store", .enabled(if: TestServer.isPresent))
struct ForeignTableTests {
  /// Notes with tags and related notes.
  private static func model() -> NSManagedObjectModel {
    let (note, tag) = (NSEntityDescription(), NSEntityDescription())
    (note.name, tag.name) = ("Note", "Tag")
    let names = ["tags", "notes", "related"]
    let relationships = names.map { name in
      let relationship = NSRelationshipDescription()
      relationship.name = name
      return relationship
    }
    let (tags, notes, related) = (relationships[0], relationships[1], relationships[2])
    (tags.destinationEntity, notes.destinationEntity) = (tag, note)
    (tags.inverseRelationship, notes.inverseRelationship) = (notes, tags)
    related.destinationEntity = note
    related.inverseRelationship = related
    note.properties = [tags, related]
    tag.properties = [notes]
    let model = NSManagedObjectModel()
    model.entities = [note, tag]
    return model
  }

  @Test(
    "they remain when the store is destroyed, also without the model that the store contains",
    arguments: [true, false])
  func destruction(hasModel: Bool) throws {
    PostgresStore.register()
    let server = try TestServer.shared.get()
    let schema = "foreign_\(hasModel)"
    try server.execute(
      """
      CREATE SCHEMA \(schema);
      CREATE TABLE \(schema).zip_codes (code text);
      CREATE VIEW \(schema).zview AS SELECT code FROM \(schema).zip_codes
      """)
    let url = try server.url(schema: schema)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let store = try coordinator.addPersistentStore(
      ofType: OpenPostgresStoreType, configurationName: nil, at: url, options: nil)
    try coordinator.remove(store)
    if !hasModel { try server.execute("UPDATE \(schema).z_metadata SET z_model = NULL") }
    try coordinator.destroyPersistentStore(at: url, ofType: OpenPostgresStoreType)
    try server.execute("SELECT code FROM \(schema).zview")
    // Divides by zero if the schema contains any other table.
    try server.execute(
      "SELECT 1 / (count(*) = 1)::int FROM pg_tables WHERE schemaname = '\(schema)'")
    try coordinator.addPersistentStore(
      ofType: OpenPostgresStoreType, configurationName: nil, at: url, options: nil)
  }
}
