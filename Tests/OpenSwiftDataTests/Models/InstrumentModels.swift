import Foundation
import OpenSwiftData

/// Models whose subclasses inherit properties of many types.
enum Band {
  enum Material: String, Codable, CaseIterable { case wood, metal }

  struct Origin: Codable, Equatable {
    var city: String
    var year: Int
  }

  @Model class Instrument {
    @Attribute(.preserveValueOnDeletion) var name: String
    @Attribute(.preserveValueOnDeletion) var material: Material
    var finish: Material?
    @Attribute(.preserveValueOnDeletion) var origin: Origin
    var workshop: Origin?
    var rival: Instrument?
    var price: Decimal
    var link: URL?
    var image: Data?
    var tags: [String] = []
    var ratings: [String: Int] = [:]
    @Relationship(inverse: \InstrumentCase.instrument) var cases: [InstrumentCase] = []

    /// Reads a persisted property, and has other values.
    var otherMaterial: Material { material == .wood ? .metal : .wood }
    var label: String { name.uppercased() }
    var stageName: String { name == "steel" ? "iron" : name }
    var nextOrigin: Origin { Origin(city: origin.city, year: origin.year + 1) }
    var rivalID: PersistentIdentifier? { rival?.persistentModelID }

    init(name: String, material: Material, number: Int) {
      self.name = name
      self.material = material
      origin = Origin(city: "City \(9 - number)", year: 1900 + number)
      price = Decimal(number) / 4
    }
  }

  @Model class Guitar: Instrument {
    var strings: Int = 6

    init(guitar name: String, material: Material, number: Int) {
      super.init(name: name, material: material, number: number)
    }
  }

  @Model final class BassGuitar: Guitar {
    var scale: Double = 34

    init(bass name: String, material: Material, number: Int) {
      super.init(guitar: name, material: material, number: number)
    }
  }

  @Model final class InstrumentCase {
    var instrument: Instrument?
    init() {}
  }

  @Model final class Player {
    var name: String
    var guitar: Guitar?
    var spareGuitar: Guitar?

    init(name: String, guitar: Guitar?) {
      self.name = name
      self.guitar = guitar
    }
  }

  /// A context without unsaved changes, of a store with one instrument, two guitars, a bass guitar
  /// and three players.
  static func context(inMemory: Bool) throws -> ModelContext {
    let schema = Schema([
      Instrument.self, Guitar.self, BassGuitar.self, InstrumentCase.self, Player.self,
    ])
    let filling = try Library.context(schema, inMemory: inMemory)
    let horn = Instrument(name: "horn", material: .metal, number: 1)
    let steel = Guitar(guitar: "steel", material: .metal, number: 2)
    let nylon = Guitar(guitar: "nylon", material: .wood, number: 3)
    let bass = BassGuitar(bass: "bass", material: .metal, number: 4)
    for instrument in [horn, steel, nylon, bass] { filling.insert(instrument) }
    nylon.finish = .metal
    nylon.link = URL(string: "https://example.com/nylon")
    nylon.image = Data([1, 2])
    nylon.workshop = Origin(city: "Rom", year: 1_990)
    bass.workshop = Origin(city: "Bern", year: 1_950)
    nylon.rival = steel
    bass.rival = nylon
    nylon.tags = ["old"]
    nylon.ratings = ["sound": 5]
    nylon.cases = [InstrumentCase()]
    filling.insert(Player(name: "a", guitar: steel))
    filling.insert(Player(name: "b", guitar: nylon))
    filling.insert(Player(name: "c", guitar: nil))
    try filling.save()
    return ModelContext(filling.container)
  }
}
