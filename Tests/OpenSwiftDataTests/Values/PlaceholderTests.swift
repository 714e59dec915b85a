import Foundation
import OpenObjectModel
import OpenSwiftData
import Testing

/// A value whose coding accepts only addresses.
private struct Mail: Codable, Equatable {
  struct Invalid: Error {}
  enum CodingKeys: String, CodingKey { case address }

  let address: String

  init(address: String) throws {
    guard address.contains("@") else { throw Invalid() }
    self.address = address
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(address: container.decode(String.self, forKey: .address))
  }

  /// Traps for an address that the coding does not accept.
  var host: Substring {
    guard let end = address.lastIndex(of: "@") else { preconditionFailure("invalid address") }
    return address[end...]
  }
}

/// A value without any bits.
private enum Wax: String, Codable { case red }

private indirect enum Formula: Codable, Equatable {
  case sum(Formula, Formula)
  case number(Int)
}

/// A class whose coding accepts no empty value.
private final class Stamp: Codable {
  struct Invalid: Error {}
  enum CodingKeys: String, CodingKey { case country }

  let country: String

  init(country: String) { self.country = country }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    country = try container.decode(String.self, forKey: .country)
    if country.isEmpty { throw Invalid() }
  }
}

/// A class whose objects only the program can create.
private final class Seal {
  let text: String

  init(text: String) { self.text = text }
}

private enum Post {
  @Model final class Letter {
    var number: Int
    var sender: Mail
    var copies: [Mail]
    var wax: Wax
    var formula: Formula
    var zone: TimeZone
    init(number: Int, sender: Mail) {
      self.number = number
      self.sender = sender
      copies = [sender]
      wax = .red
      formula = .sum(.number(1), .number(2))
      zone = .current
    }
  }

  @Model final class Card {
    var stamp: Stamp
    init() { stamp = Stamp(country: "x") }
  }

  @Model final class SealedCard {
    @Attribute(.transformable(by: "NSSecureUnarchiveFromData")) var seal: Seal
    init() { seal = Seal(text: "x") }
  }

  @Model final class Register {
    @Attribute(.transformable(by: "NSSecureUnarchiveFromData")) var names: NSArray
    init() { names = NSArray(array: ["x"]) }
  }

  @Model final class StampedCard {
    var stamp: Stamp = Stamp(country: "default")
    var country: String { stamp.country }
    init() {}
  }
}

@Suite("Placeholders for missing values")
struct PlaceholderTests {
  private func context(_ type: any PersistentModel.Type) throws -> ModelContext {
    ModelContext(
      try ModelContainer(for: type, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  /// A model in a new context whose row was deleted.
  private func deleted<Model: PersistentModel>(
    _ model: Model, in context: ModelContext
  ) throws -> (model: Model, context: ModelContext) {
    context.insert(model)
    try context.save()
    let identifier = model.persistentModelID
    context.delete(model)
    try context.save()
    let other = ModelContext(context.container)
    return (try #require(other.model(for: identifier) as? Model), other)
  }

  @Test("properties of a deleted row are empty, also if their coding accepts no empty value")
  func deletedRow() throws {
    let letter = Post.Letter(number: 1, sender: try Mail(address: "a@b"))
    let (gone, other) = try deleted(letter, in: context(Post.Letter.self))
    #expect(gone.number == 0)
    #expect(gone.sender.address == "")
    #expect(gone.copies == [])
    #expect(gone.wax == .red)
    #expect(gone.formula == .number(0))
    #expect(gone.zone == TimeZone(secondsFromGMT: 0))
    try other.save()
  }

  @Test("fetches are sorted by a member of a structure whose coding accepts no empty value")
  func order() throws {
    let context = try context(Post.Letter.self)
    for (number, address) in ["c@x", "a@y", "b@z"].enumerated() {
      context.insert(Post.Letter(number: number, sender: try Mail(address: address)))
    }
    try context.save()
    let order = SortDescriptor(\Post.Letter.sender.address, comparator: .lexical)
    let found = try context.fetch(FetchDescriptor(sortBy: [order]))
    #expect(found.map(\.number) == [1, 2, 0])
    #expect(found.map(\.sender.address) == ["a@y", "b@z", "c@x"])
  }

  @Test("a computed member is not evaluated to determine that it is not stored")
  func computedMember() throws {
    let context = try context(Post.Letter.self)
    let order = SortDescriptor(\Post.Letter.sender.host.count)
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.fetch(FetchDescriptor(sortBy: [order]))
    }
  }

  @Test("a property of a type without an empty value needs a default value, or is optional")
  func refusedType() {
    let error = #expect(throws: SchemaError.self) {
      try Schema([Post.Card.self]).managedObjectModel()
    }
    #expect(error?.code == .wrongDeclaration)
    #expect(error?.entityName == "Card" && error?.propertyName == "stamp")
    let transformed = #expect(throws: SchemaError.self) {
      try Schema([Post.SealedCard.self]).managedObjectModel()
    }
    #expect(transformed?.code == .wrongDeclaration && transformed?.propertyName == "seal")
  }

  @Test("a transformable collection of a deleted row is empty")
  func transformable() throws {
    let (gone, other) = try deleted(Post.Register(), in: context(Post.Register.self))
    withExtendedLifetime(other) { #expect(gone.names.count == 0) }
  }

  @Test("a property of a type without an empty value has its default value if the row is deleted")
  func defaultValue() throws {
    let (gone, other) = try deleted(Post.StampedCard(), in: context(Post.StampedCard.self))
    withExtendedLifetime(other) { #expect(gone.stamp.country == "default") }
  }

  @Test("a computed property can read a property of a type without an empty value")
  func computedProperty() throws {
    let context = try context(Post.StampedCard.self)
    let order = SortDescriptor(\Post.StampedCard.country)
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.fetch(FetchDescriptor(sortBy: [order]))
    }
  }
}
