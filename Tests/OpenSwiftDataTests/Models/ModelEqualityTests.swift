import Foundation
import OpenSwiftData
import Testing

@Model
final class Invoice {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \InvoiceLine.invoice) var lines: [InvoiceLine] = []

  init(name: String) { self.name = name }
}

@Model
final class InvoiceLine {
  var invoice: Invoice?
  var quantity = 1
  var text: String

  /// Assigns the relationship before the last property.
  init(invoice: Invoice?, text: String, quantity: Int = 1) {
    self.invoice = invoice
    self.quantity = quantity
    self.text = text
  }

  /// Reads the inverse relationship before the other properties are set.
  init(lastOf invoice: Invoice) {
    self.invoice = invoice
    self.quantity = invoice.lines.count
    self.text = "last"
  }
}

@Suite("Equality of models")
struct ModelEqualityTests {
  private func context() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Invoice.self, InvoiceLine.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  @Test(
    "a model whose initializer assigns a relationship equals the member of the inverse relationship",
    arguments: [true, false])
  func memberOfInverse(_ isInsertedFirst: Bool) throws {
    let context = try context()
    let invoice = Invoice(name: "a")
    if isInsertedFirst { context.insert(invoice) }
    let line = InvoiceLine(invoice: invoice, text: "one")
    let other = InvoiceLine(invoice: invoice, text: "two")
    if !isInsertedFirst { context.insert(invoice) }
    for _ in 1...2 {
      #expect(invoice.lines.contains(line) && invoice.lines.contains(other))
      #expect(invoice.lines.firstIndex(of: line) != nil && line != other)
      #expect(Set(invoice.lines) == [line, other])
      let counts = [line: 1, other: 2]
      #expect(invoice.lines.compactMap { counts[$0] }.sorted() == [1, 2])
      try context.save()
    }
    #expect(Set(try context.fetch(FetchDescriptor<InvoiceLine>())) == [line, other])
    invoice.lines.removeAll { $0 == line }
    #expect(invoice.lines == [other] && line.invoice == nil)
    try context.save()
  }

  @Test("a new model keeps its values if the inverse relationship is read before the insertion")
  func readingBeforeInsertion() throws {
    let context = try context()
    let invoice = Invoice(name: "a")
    let line = InvoiceLine(invoice: invoice, text: "one", quantity: 5)
    #expect(invoice.lines.map(\.quantity) == [5])
    #expect(line.quantity == 5 && line.invoice === invoice)
    context.insert(invoice)
    try context.save()
    let descriptor = FetchDescriptor<InvoiceLine>(
      predicate: #Predicate { $0.quantity == 5 && $0.invoice?.name == "a" })
    #expect(try ModelContext(context.container).fetchCount(descriptor) == 1)
  }

  @Test(
    "an initializer sets properties after it reads the inverse of a relationship that it set",
    arguments: [true, false])
  func readingInInitializer(_ isInserted: Bool) throws {
    let context = try context()
    let invoice = Invoice(name: "a")
    if isInserted { context.insert(invoice) }
    let lines = [InvoiceLine(invoice: invoice, text: "one"), InvoiceLine(lastOf: invoice)]
    #expect(lines.map(\.quantity) == [1, 2])
    #expect(lines.map(\.text) == ["one", "last"])
  }

  @Test("a model keeps its place in a set when it is inserted and saved")
  func stableHash() throws {
    let invoice = Invoice(name: "a")
    let known: Set = [invoice]
    let context = try context()
    context.insert(invoice)
    #expect(known.contains(invoice))
    try context.save()
    #expect(known.contains(invoice))
  }

  @Test("models of one row in two contexts are not equal")
  func contexts() throws {
    let context = try context()
    let invoice = Invoice(name: "a")
    context.insert(invoice)
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Invoice>()).first)
    #expect(found != invoice && found.persistentModelID == invoice.persistentModelID)
  }
}
