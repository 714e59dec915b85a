import CoreData
import SampleSupport

@MainActor let container = sampleContainer(
  sampleModel(
    [
      "Post": [.attribute("postID"), .attribute("text")],
      "Album": [.attribute("year", .integer32AttributeType), .many("tracks", "Track", "album")],
      "Track": [
        .attribute("isClassic", .booleanAttributeType),
        .attribute("playCount", .integer32AttributeType), .one("album", "Album", "tracks"),
      ],
    ], unique: ["Post": "postID"]))
@MainActor let viewContext = container.viewContext
@MainActor let context = container.newBackgroundContext()

@MainActor func batches() throws {
  let posts = NSFetchRequest<NSManagedObject>(entityName: "Post")
  try expect(try viewContext.count(for: posts) == 1)
}
