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
  var text: String

  /// Assigns the relationship before the last property.
  init(invoice: Invoice?, text: String) {
    self.invoice = invoice
    self.text = text
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
