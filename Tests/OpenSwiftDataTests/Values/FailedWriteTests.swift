import Foundation
import OpenSwiftData
import Testing

/// A value whose encoding throws for one text.
private struct Secret: Codable, Equatable {
  struct Refusal: Error {}
  enum CodingKeys: String, CodingKey { case text }

  static let refused = Secret(text: "refused")

  var text: String

  func encode(to encoder: any Encoder) throws {
    if self == Self.refused { throw Refusal() }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
  }
}

private enum Bank {
  @Model class Account {
    var number: UInt64 = 1
    var secret: Secret
    var parent: Account?
    init(number: UInt64, secret: Secret) {
      self.number = number
      self.secret = secret
    }
  }

  @Model class Branch {
    var address: Omitting?
    init(address: Omitting?) { self.address = address }
  }

  @Model final class Deposit: Account {
    var amount: UInt64 = 1
    init(amount: UInt64) {
      self.amount = amount
      super.init(number: 2, secret: Secret(text: "a"))
    }
  }
}

@Suite("Values that cannot be stored")
struct FailedWriteTests {
  private func context(_ others: any PersistentModel.Type...) throws -> ModelContext {
    let schema = Schema([Bank.Account.self, Bank.Deposit.self] + others)
    return ModelContext(
      try ModelContainer(
        for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  /// Expects that a save throws once, because a property cannot be stored.
  private func expectError(
    _ context: ModelContext, _ code: ModelValueError.Code, _ entity: String, _ property: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: ModelValueError.self, sourceLocation: sourceLocation) {
      try context.save()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.entityName == entity, sourceLocation: sourceLocation)
    #expect(error?.propertyName == property, sourceLocation: sourceLocation)
    #expect(error?.localizedDescription.contains(property) == true, sourceLocation: sourceLocation)
  }

  @Test("a number that an initializer sets makes the save throw if stores cannot represent it")
  func greatNumber() throws {
    let context = try context()
    context.insert(Bank.Account(number: .max, secret: Secret(text: "a")))
    expectError(context, .outOfRange, "Account", "number")
  }

  @Test("a value that an initializer sets makes the save throw if its encoding throws")
  func refusal() throws {
    let context = try context()
    context.insert(Bank.Account(number: 3, secret: .refused))
    let error = #expect(throws: ModelValueError.self) { try context.save() }
    #expect(error?.code == .refused && error?.propertyName == "secret")
    #expect(error?.underlying is Secret.Refusal)
    #expect(error?.localizedDescription.contains("secret") == true)
  }

  @Test("a value that a submodel sets makes the save throw if it cannot be stored")
  func submodel() throws {
    let context = try context()
    context.insert(Bank.Deposit(amount: .max))
    expectError(context, .outOfRange, "Deposit", "amount")
  }

  @Test("an optional value makes the save throw if its coding omits a required property")
  func omittedProperty() throws {
    let context = try context(Bank.Branch.self)
    context.insert(Bank.Branch(address: Omitting(city: "a", omits: true)))
    expectError(context, .unexpectedShape, "Branch", "address.zip")
  }

  @Test("a related model's value makes the save throw if it cannot be stored")
  func related() throws {
    let context = try context()
    let account = Bank.Account(number: 3, secret: Secret(text: "a"))
    account.parent = Bank.Account(number: .max, secret: Secret(text: "b"))
    context.insert(account)
    expectError(context, .outOfRange, "Account", "number")
  }

  @Test("the error is kept if the model gets the schema of another container")
  func otherSchema() throws {
    _ = try context()
    let account = Bank.Account(number: .max, secret: Secret(text: "a"))
    let context = try context(Note.self)
    context.insert(account)
    expectError(context, .outOfRange, "Account", "number")
  }

  @Test("setting a storable value before the insertion clears the error")
  func correction() throws {
    let context = try context()
    let account = Bank.Account(number: .max, secret: .refused)
    account.number = 7
    account.secret = Secret(text: "b")
    context.insert(account)
    try context.save()
    let found = try ModelContext(context.container).fetch(FetchDescriptor<Bank.Account>())
    #expect(found.map(\.number) == [7])
    #expect(found.map(\.secret) == [Secret(text: "b")])
  }

  @Test("after the insertion, the next save throws once, and the property keeps its value")
  func inserted() throws {
    let context = try context()
    let account = Bank.Account(number: 7, secret: Secret(text: "b"))
    context.insert(account)
    try context.save()
    account.number = .max
    expectError(context, .outOfRange, "Account", "number")
    account.secret = .refused
    expectError(context, .refused, "Account", "secret")
    try context.save()
    #expect(account.number == 7 && account.secret == Secret(text: "b"))
  }

  @Test("an out-of-range number from a custom store is an error, not another number")
  func customStore() throws {
    let folder = try StoreFolder()
    func open() throws -> ModelContext {
      ModelContext(
        try ModelContainer(
          for: Bank.Account.self, configurations: JSONStoreConfiguration(url: folder.file())))
    }
    let context = try open()
    context.insert(Bank.Account(number: 123_456_789, secret: Secret(text: "a")))
    try context.save()
    let text = try String(contentsOf: folder.file(), encoding: .utf8)
    let changed = text.replacingOccurrences(
      of: "\"number\":123456789", with: "\"number\":\(UInt64.max)")
    try #require(changed != text)
    try changed.write(to: folder.file(), atomically: true, encoding: .utf8)
    let other = try open()
    let account = try #require(try other.fetch(FetchDescriptor<Bank.Account>()).first)
    _ = account.number
    #expect(throws: (any Error).self) { try other.save() }
  }
}
