import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("Batch requests that change rows without a version")
struct UnversionedRowTests {
  private func makeModel() throws -> CompiledModel {
    let (folder, note) = (NSEntityDescription(), NSEntityDescription())
    (folder.name, note.name) = ("Folder", "Note")
    let (notes, parent) = (NSRelationshipDescription(), NSRelationshipDescription())
    (notes.name, parent.name) = ("notes", "folder")
    (notes.destinationEntity, parent.destinationEntity) = (note, folder)
    (notes.inverseRelationship, parent.inverseRelationship) = (parent, notes)
    parent.maxCount = 1
    folder.properties = [notes]
    note.properties = [parent]
    let model = NSManagedObjectModel()
    model.entities = [folder, note]
    return try model.compiled()
  }

  @Test("a row without a version has the version 1 after it lost its destination")
  func nullified() throws {
    let shop = try Shop()
    let model = try makeModel()
    let store = try SQLiteStore.open(StoreConfiguration(url: shop.file), model: model)
    defer { store.close() }
    try shop.execute(
      """
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER) VALUES (1, 2, NULL, 1), (2, 2, 4, 1);
      """)
    let folder = try #require(model.entity(named: "Folder"))
    let plan = FetchPlan(shape: FetchShape(entity: folder))
    _ = try store.execute(.delete(plan), origin: ChangeOrigin())
    let notes = try shop.sqlite("SELECT Z_OPT, ZFOLDER FROM ZNOTE ORDER BY Z_PK")
    #expect(notes == ["1|NULL", "5|NULL"])
  }
}
