import SwiftData
import Testing

// Sources in the language mode of older applications.

/// A constant is persisted in this language mode, and has no setter.
@Model final class Ticket: ObservableObject {
  let id = UUID()
  let number: Int
  var title: String
  var seats: [Seat]? = []

  init(number: Int, title: String) {
    self.number = number
    self.title = title
  }
}

@Model class Seat {
  @Attribute(.unique) var label: String
  @Relationship(inverse: \Ticket.seats) var ticket: Ticket?

  init(label: String) { self.label = label }
}

@available(macOS 26, *)
@Model class Balcony: Seat {
  var height: Double = 3

  override init(label: String) { super.init(label: label) }
}

/// Applications declare this conformance, which is a protocol of Combine on Apple platforms.
protocol ObservableObject: AnyObject {}

@Suite("Models in Swift 5 mode")
struct SwiftFiveModelTests {
  @Test("constants are persisted")
  func constants() {
    let ticket = Ticket(number: 3, title: "t")
    #expect(ticket.number == 3)
    #expect(ticket.id == ticket.id)
    let properties = Schema([Ticket.self]).entitiesByName["Ticket"]?.storedPropertiesByName
    #expect(properties.map { Set($0.keys) } == ["id", "number", "title", "seats"])
  }

  @Test("models that derive from models work")
  func submodels() {
    let balcony = Balcony(label: "b")
    #expect(balcony.label == "b")
    #expect(balcony.height == 3)
  }

  @Test("constants are read from the store")
  func stored() throws {
    let container = try ModelContainer(
      for: Ticket.self, Seat.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let ticket = Ticket(number: 3, title: "t")
    let seat = Seat(label: "s")
    seat.ticket = ticket
    context.insert(ticket)
    try context.save()
    let other = ModelContext(container)
    let found = try other.fetch(FetchDescriptor<Ticket>()).first
    #expect(found?.id == ticket.id)
    #expect(found?.number == 3)
    #expect(found?.seats?.map(\.label) == ["s"])
  }
}
