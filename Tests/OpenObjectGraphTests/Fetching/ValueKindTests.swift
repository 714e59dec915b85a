import Foundation
import OpenCoreData
import OpenManagedMacros
import Testing

@ManagedObject
final class Parcel: NSManagedObject {
  @Managed var small: Int16
  @Managed var smallOrNot: Int16?
  @Managed var large: Int64
  @Managed var largeOrNot: Int64?
  @Managed var plain: Int
  @Managed var flag: Bool
  @Managed var flagOrNot: Bool?
  @Managed var weight: Double
  @Managed var weightOrNot: Double?
  @Managed var length: Float
  @Managed var lengthOrNot: Float?
  @Managed var sent: Date
  @Managed var sentOrNot: Date?
  @Managed var name: String
  @Managed var nameOrNot: String?
  @Managed var seal: Data
  @Managed var sealOrNot: Data?
  @Managed var identity: UUID
  @Managed var identityOrNot: UUID?
  @Managed var page: URL
  @Managed var pageOrNot: URL?
  @Managed var price: Decimal
  @Managed var priceOrNot: Decimal?
  @Managed var labels: [String]
  @Managed var labelsOrNot: [String]?
  /// A decimal number in the model.
  @Managed var rate: Double
  /// A number in the model.
  @Managed var misdeclared: String?
}

/// Every kind of attribute as a column of values.
@Suite("Kinds of fetched values")
struct ValueKindTests {
  @Test(
    "a choice of arguments is ordered as evaluation orders it; a number and a text can be an error (D-417)",
    arguments: FetchingModel.stores)
  func choicesOfArguments(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let all = try stack.context.fetch(FetchingStack.request())
      for format in [
        "%@ <= TERNARY(owner == nil, 0, %@)", "%@ BETWEEN {0, TERNARY(owner == nil, 5, %@)}",
        "%@ > TERNARY(owner == nil, 0, %@)",
      ] {
        for arguments: [Any] in [[1, "x"], ["x", 1], [-9, "*"], [1, 2]] {
          let request = FetchingStack.request(format, arguments)
          let evaluated = all.filter { request.predicate?.evaluate(with: $0) == true }
          do {
            let found = try stack.names(request)
            #expect(found == FetchingStack.names(of: evaluated), "\(format) \(arguments)")
          } catch let error as CocoaError where error.code.rawValue == 134060 {
            #expect(arguments.contains { $0 is String }, "\(format) \(arguments)")
          }
        }
      }
    }
  }

  private static func makeModel() -> NSManagedObjectModel {
    let kinds: [(String, NSAttributeDescription.AttributeType)] = [
      ("small", .integer16), ("large", .integer64), ("flag", .boolean), ("weight", .double),
      ("length", .float), ("sent", .date), ("name", .string), ("seal", .binaryData),
      ("identity", .uuid), ("page", .uri), ("price", .decimal),
      ("labels", .transformable),
    ]
    let parcel = NSEntityDescription()
    parcel.name = "Parcel"
    parcel.managedObjectClassName = "Parcel"
    parcel.properties =
      kinds.flatMap { [attribute($0, $1), attribute("\($0)OrNot", $1)] }
      + [
        attribute("plain", .integer32), attribute("misdeclared", .integer32),
        attribute("rate", .decimal),
      ]
    let model = NSManagedObjectModel()
    model.entities = [parcel]
    return model
  }

  private func run(_ type: String, _ body: (NSManagedObjectContext) throws -> Void) throws {
    let store = NSPersistentStoreDescription(type: type)
    let context = try NSPersistentContainer.loaded("Parcels", Self.makeModel(), [store])
      .newBackgroundContext()
    try context.performAndWait { try body(context) }
  }

  /// A full parcel and an empty one, saved.
  private func insert(into context: NSManagedObjectContext) throws {
    let parcel = Parcel(context: context)
    (parcel.small, parcel.smallOrNot) = (-7, 8)
    (parcel.large, parcel.largeOrNot) = (.max, .min)
    parcel.plain = 12
    (parcel.flag, parcel.flagOrNot) = (true, false)
    (parcel.weight, parcel.weightOrNot) = (0.1, -2)
    (parcel.length, parcel.lengthOrNot) = (0.25, 3)
    parcel.sent = Date(timeIntervalSinceReferenceDate: 5.5)
    parcel.sentOrNot = Date(timeIntervalSinceReferenceDate: -1)
    (parcel.name, parcel.nameOrNot) = ("é", "")
    (parcel.seal, parcel.sealOrNot) = (Data([1, 0, 2]), Data())
    parcel.identity = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    parcel.identityOrNot = parcel.identity
    parcel.page = try #require(URL(string: "https://example.org/a?b"))
    parcel.pageOrNot = parcel.page
    (parcel.price, parcel.priceOrNot) = (Decimal(string: "12.345") ?? 0, -1)
    (parcel.labels, parcel.labelsOrNot) = (["a", "é"], ["b"])
    parcel.setValue(3, forKey: "misdeclared")
    _ = Parcel(context: context)
    try context.save()
  }

  private var parcels: NSFetchRequest<Parcel> {
    let request = NSFetchRequest<Parcel>(entityName: "Parcel")
    request.sortDescriptors = [NSSortDescriptor(key: "small", ascending: false)]
    return request
  }

  @Test(
    "a Double property of a decimal attribute is the nearest floating-point number",
    arguments: FetchingModel.stores)
  func nearestNumbers(type: String) throws {
    try run(type) { context throws in
      let parcel = Parcel(context: context)
      for text in ["0.007", "0.011", "0.014"] {
        parcel.setValue(NSDecimalNumber(string: text), forKey: "rate")
        #expect(parcel.rate == Double(text))
        try context.save()
        context.refresh(parcel, mergeChanges: false)
        #expect(parcel.rate == Double(text))
      }
    }
  }

  @Test(
    "each kind has the value that its accessor returns, with and without a value",
    arguments: FetchingModel.stores)
  func kinds(type: String) throws {
    try run(type) { context throws in
      try insert(into: context)
      let objects = try context.fetch(parcels)
      func compare<Content: Equatable>(_ keyPath: KeyPath<Parcel, Content>) throws {
        let read = objects.map { $0[keyPath: keyPath] }
        #expect(try context.values(of: parcels, keyPath) == read, "\(keyPath)")
      }
      try compare(\.small)
      try compare(\.smallOrNot)
      try compare(\.large)
      try compare(\.largeOrNot)
      try compare(\.plain)
      try compare(\.flag)
      try compare(\.flagOrNot)
      try compare(\.weight)
      try compare(\.weightOrNot)
      try compare(\.length)
      try compare(\.lengthOrNot)
      try compare(\.sent)
      try compare(\.sentOrNot)
      try compare(\.name)
      try compare(\.nameOrNot)
      try compare(\.seal)
      try compare(\.sealOrNot)
      try compare(\.identity)
      try compare(\.identityOrNot)
      try compare(\.page)
      try compare(\.pageOrNot)
      try compare(\.price)
      try compare(\.priceOrNot)
      try compare(\.labels)
      try compare(\.labelsOrNot)
    }
  }

  @Test(
    "a decimal number is compared with a text as text, and with a date as seconds",
    arguments: FetchingModel.stores)
  func decimals(type: String) throws {
    try run(type) { context throws in
      let parcel = Parcel(context: context)
      parcel.name = "12.5"
      parcel.sent = Date(timeIntervalSinceReferenceDate: 5.5)
      _ = Parcel(context: context)
      let conditions: [(format: String, arguments: [Any])] = [
        ("name == %@", [NSDecimalNumber(string: "12.5")]),
        ("name IN %@", [[NSDecimalNumber(string: "7"), NSDecimalNumber(string: "12.5")]]),
        ("sent == %@", [NSDecimalNumber(string: "5.5")]),
        ("sent < %@", [NSDecimalNumber(string: "6")]),
      ]
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        for (format, arguments) in conditions {
          let request = parcels
          request.predicate = NSPredicate(format: format, argumentArray: arguments)
          #expect(try context.fetch(request) == [parcel], "\(format), saved: \(isSaved)")
        }
      }
    }
  }

  @Test("a property of another type than the model's is an error", arguments: FetchingModel.stores)
  func misdeclared(type: String) throws {
    try run(type) { context throws in
      #expect(try context.values(of: parcels, \.misdeclared).isEmpty)
      try insert(into: context)
      #expect {
        try context.values(of: parcels, \.name, \.misdeclared)
      } throws: { error in
        let message = (error as? CocoaError)?.localizedDescription ?? ""
        return (error as? CocoaError)?.code == .coreData && message.contains("misdeclared")
      }
    }
  }
}
