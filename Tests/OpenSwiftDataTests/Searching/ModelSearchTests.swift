import Foundation
import OpenPredicates
import OpenSwiftData
import Testing

@Model
final class Leaflet {
  @Attribute(.spotlight) var title: String
  @Attribute(.spotlight) var text: String?
  var note = ""
  var year: Int

  init(title: String, text: String? = nil, year: Int) {
    self.title = title
    self.text = text
    self.year = year
  }
}

@Suite("Full-text searches for models")
struct ModelSearchTests {
  private static func container(_ url: URL?, isIndexed: Bool) throws -> ModelContainer {
    var configuration =
      url.map { ModelConfiguration(url: $0) } ?? ModelConfiguration(isStoredInMemoryOnly: true)
    configuration.indexesText = isIndexed
    return try ModelContainer(for: Leaflet.self, configurations: configuration)
  }

  private static func years(_ models: [Leaflet]) -> [Int] { models.map(\.year).sorted() }

  @Test(
    "a search finds models by the words of attributes with spotlight (D-387)",
    arguments: [true, false], [true, false])
  func search(_ isIndexed: Bool, _ isInFile: Bool) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("leaflets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = isInFile ? folder.appendingPathComponent("a.store") : nil
    let context = ModelContext(try Self.container(url, isIndexed: isIndexed))
    context.insert(Leaflet(title: "Linux", text: "The kernel", year: 1991))
    context.insert(Leaflet(title: "Café", year: 2001))
    let other = Leaflet(title: "Kernels", year: 2011)
    other.note = "linux"
    context.insert(other)
    var descriptor = FetchDescriptor<Leaflet>()
    descriptor.search = "LINUX kernel"
    #expect(Self.years(try context.fetch(descriptor)) == [1991])
    try context.save()
    #expect(Self.years(try context.fetch(descriptor)) == [1991])
    #expect(try context.fetchCount(descriptor) == 1)
    descriptor.search = "kernel* OR cafe"
    #expect(Self.years(try context.fetch(descriptor)) == [1991, 2001, 2011])
    descriptor.predicate = #Predicate { $0.year > 1995 }
    #expect(Self.years(try context.fetch(descriptor)) == [2001, 2011])
    var plain = descriptor
    plain.search = nil
    #expect(plain != descriptor)
    if isIndexed {
      let ranked = try context.fetch(FetchDescriptor<Leaflet>(), rankedBy: "kernel*")
      #expect(Self.years(ranked) == [1991, 2011])
    } else {
      #expect(throws: (any Error).self) {
        try context.fetch(FetchDescriptor<Leaflet>(), rankedBy: "kernel*")
      }
    }
  }
}
