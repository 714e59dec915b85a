import Foundation
import OpenSwiftData
import Synchronization
import Testing

/// Stores texts reversed, and reads them back unless they are lost.
private final class ReversingTransformer: ValueTransformer {
  static let lost = Mutex<Set<String>>([])

  override class func transformedValueClass() -> AnyClass { NSData.self }
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { Data($0.reversed().map(String.init).joined().utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    let text = (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
    if text == "a number" { return NSNumber(value: 7) }
    return text.flatMap { text in Self.lost.withLock { $0.contains(text) } ? nil : text }
  }
}

@Model
final class Exhibit {
  #Index<Exhibit>([\.number], [\.number, \.title])
  #Index<Exhibit>(.rtree([\.latitude, \.longitude]))

  var number: Int
  var title = "none"
  var latitude = 0.0
  var longitude = 0.0
  @Attribute(.ephemeral) var height = 1.5
  @Attribute(.ephemeral) var nickname: String? = "none"
  @Attribute(.externalStorage) var photo: Data?
  @Attribute(.transformable(by: "OpenSwiftDataReversing")) var motto: String?
  @Attribute(.codable) var place: TripPlace?
  @Attribute(.spotlight, .allowsCloudEncryption) var remark: String?

  init(number: Int) { self.number = number }
}

@Model
final class Showcase {
  var number: Int
  @Attribute(.ephemeral) var origin: TripPlace? = TripPlace(city: "Oslo", floor: 3)
  @Attribute(.ephemeral, .transformable(by: "OpenSwiftDataReversing")) var sign: String? = "open"

  init(number: Int) { self.number = number }
}

@Suite("Options of attributes in a store")
struct AttributeOptionTests {
  private let folder: URL
  private let container: ModelContainer

  init() throws {
    ValueTransformer.setValueTransformer(
      ReversingTransformer(), forName: NSValueTransformerName("OpenSwiftDataReversing"))
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("options-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    container = try ModelContainer(
      for: Exhibit.self,
      configurations: ModelConfiguration(url: folder.appendingPathComponent("a.store")))
  }

  @Test("an ephemeral value is tracked and not stored")
  func ephemeral() throws {
    let context = ModelContext(container)
    let exhibit = Exhibit(number: 1)
    context.insert(exhibit)
    exhibit.height = 7
    try context.save()
    #expect(exhibit.height == 7)
    exhibit.height = 8
    #expect(exhibit.hasChanges)
    #expect(exhibit.nickname == "none")
    exhibit.nickname = nil
    try context.save()
    #expect(exhibit.nickname == nil)
    let other = ModelContext(container)
    let found = try #require(try other.fetch(FetchDescriptor<Exhibit>()).first)
    #expect(found.height == 1.5)
    #expect(found.height == 1.5)
    #expect(found.nickname == "none")
    #expect(!found.hasChanges && !other.hasChanges)
    found.number = 2
    try other.save()
    #expect(found.height == 1.5)
    let tall = FetchDescriptor<Exhibit>(predicate: #Predicate { $0.height > 1 })
    #expect(try other.fetch(tall).count == 1)
  }

  @Test("an optional ephemeral value with a transformer is nil in a fetched model")
  func optionalEphemeralValues() throws {
    let container = try ModelContainer(
      for: Showcase.self,
      configurations: ModelConfiguration(url: folder.appendingPathComponent("b.store")))
    let context = ModelContext(container)
    let showcase = Showcase(number: 1)
    context.insert(showcase)
    showcase.origin = nil
    try context.save()
    #expect(showcase.sign == "open")
    #expect(showcase.origin == nil)
    let other = ModelContext(container)
    let found = try #require(try other.fetch(FetchDescriptor<Showcase>()).first)
    #expect(found.sign == nil)
    #expect(found.origin == TripPlace(city: "Oslo", floor: 3))
    #expect(!found.hasChanges && !other.hasChanges)
  }

  @Test("a large value with external storage is stored in a separate file")
  func externalStorage() throws {
    let context = ModelContext(container)
    let exhibit = Exhibit(number: 1)
    context.insert(exhibit)
    let bytes = Data(repeating: 7, count: 300_000)
    exhibit.photo = bytes
    try context.save()
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let sizes = (files?.allObjects ?? []).compactMap { file -> Int? in
      guard let url = file as? URL, !url.lastPathComponent.hasPrefix("a.store") else { return nil }
      return try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
    }
    #expect(sizes.contains(300_000))
    let other = ModelContext(container)
    #expect(try other.fetch(FetchDescriptor<Exhibit>()).first?.photo == bytes)
  }

  @Test("enumerate throws if the file of a value is missing")
  func missingFile() throws {
    let context = ModelContext(container)
    for number in 1...3 {
      let exhibit = Exhibit(number: number)
      context.insert(exhibit)
      if number == 2 { exhibit.photo = Data(repeating: 7, count: 300_000) }
    }
    try context.save()
    try FileManager.default.removeItem(
      at: folder.appendingPathComponent(".a_SUPPORT/_EXTERNAL_DATA"))
    var numbers: [Int] = []
    #expect(throws: CocoaError.self) {
      try ModelContext(container).enumerate(
        FetchDescriptor<Exhibit>(sortBy: [SortDescriptor(\.number)]), batchSize: 1
      ) { numbers.append($0.number) }
    }
    #expect(numbers == [1])
  }

  @Test("transformers, encoded values, indexes and service options preserve values")
  func kept() throws {
    let context = ModelContext(container)
    let exhibit = Exhibit(number: 1)
    context.insert(exhibit)
    exhibit.motto = "Ad astra"
    exhibit.place = TripPlace(city: "Rome", floor: 2)
    exhibit.remark = "x"
    (exhibit.latitude, exhibit.longitude) = (41.9, 12.5)
    try context.save()
    let other = ModelContext(container)
    let found = try #require(
      try other.fetch(FetchDescriptor<Exhibit>(predicate: #Predicate { $0.latitude > 41 })).first)
    #expect(found.motto == "Ad astra")
    let motto: String? = found.persistentBackingData.getTransformableValue(forKey: \.motto)
    #expect(motto == "Ad astra")
    found.setTransformableValue(forKey: \.motto, to: String?.some("Per aspera"))
    #expect(found.motto == "Per aspera")
    #expect(found.place == TripPlace(city: "Rome", floor: 2))
    #expect(found.remark == "x" && found.longitude == 12.5)
  }

  @Test("a fetch that must run in the store cannot sort by transformed values")
  func transformedOrder() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Exhibit>(
      predicate: #Predicate { $0.number > 0 }, sortBy: [SortDescriptor(\.motto)])
    #expect(try context.fetch(descriptor).isEmpty)
    descriptor.allowsEvaluationInMemory = false
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) { try context.fetch(descriptor) }
  }

  @Test("transformed strings are sorted by the comparator of the descriptor")
  func transformedStrings() throws {
    let context = ModelContext(container)
    for motto in ["b10", nil, "B9", "a"] {
      let exhibit = Exhibit(number: 1)
      context.insert(exhibit)
      exhibit.motto = motto
    }
    try context.save()
    func mottos(_ order: SortDescriptor<Exhibit>) throws -> [String?] {
      try context.fetch(FetchDescriptor<Exhibit>(sortBy: [order])).map(\.motto)
    }
    #expect(try mottos(SortDescriptor(\.motto)) == [nil, "a", "B9", "b10"])
    #expect(try mottos(SortDescriptor(\.motto, comparator: .lexical)) == [nil, "B9", "a", "b10"])
  }

  @Test(
    "a value that its transformer cannot read makes saves throw until the context is rolled back")
  func unreadable() throws {
    let motto = "lost \(UUID().uuidString)"
    let context = ModelContext(container)
    let exhibit = Exhibit(number: 1)
    context.insert(exhibit)
    exhibit.motto = motto
    try context.save()
    ReversingTransformer.lost.withLock { _ = $0.insert(motto) }
    let other = ModelContext(container)
    let found = try #require(try other.fetch(FetchDescriptor<Exhibit>()).first)
    #expect(found.motto == nil)
    found.number = 2
    for _ in 1...2 {
      let error = #expect(throws: (any Error).self) { try other.save() }
      #expect(error.map { "\($0)".contains("Exhibit.motto") } == true)
    }
    other.rollback()
    found.number = 3
    try other.save()
    ReversingTransformer.lost.withLock { _ = $0.remove(motto) }
    let stored = try #require(try ModelContext(container).fetch(FetchDescriptor<Exhibit>()).first)
    #expect(stored.motto == motto && stored.number == 3)
  }

  @Test("a value of another class than the property's makes saves throw and is not overwritten")
  func otherClass() throws {
    let context = ModelContext(container)
    let exhibit = Exhibit(number: 1)
    context.insert(exhibit)
    exhibit.motto = "a number"
    try context.save()
    let other = ModelContext(container)
    let found = try #require(try other.fetch(FetchDescriptor<Exhibit>()).first)
    #expect(found.motto == nil)
    found.number = 2
    let error = #expect(throws: (any Error).self) { try other.save() }
    #expect(error.map { "\($0)".contains("motto") } == true)
    other.rollback()
    let stored = try ModelContext(container).fetch(FetchDescriptor<Exhibit>())
    #expect(stored.map(\.number) == [1])
  }
}
