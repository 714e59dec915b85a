import Foundation
import OpenSwiftData

/// The models of an application whose store Apple's SwiftData wrote on macOS 14.
enum Resources {
  @Model
  final class Item {
    @Attribute(.unique) var name: String
    var craftingRecipe: CraftingRecipe?

    init(name: String) { self.name = name }
  }

  @Model
  final class CraftingRecipe {
    var producedItem: Item?
    var producedItemCount: String = "1"
    var requiredComponents: [Component]

    init() { requiredComponents = [] }
  }

  @Model
  final class Component {
    var id: UUID = UUID()
    var count: Int = 1
    var item: Item?
    var craftingRecipe: CraftingRecipe?

    init() {}
  }
}

/// The models of an application whose store Apple's SwiftData wrote on iOS 18.
enum Cocktails {
  struct Author: Codable, Equatable {
    var id: UUID
    var person: String?
    var place: String?
    var year: String?
  }

  struct Instruction: Codable, Equatable {
    var id: UUID
    var step: Int
    var method: String
  }

  struct Build: Codable, Equatable { var instructions: [Instruction] }

  enum Kind: Codable, Equatable {
    case agaves(String), amari(String), bitters(String), brandies(String), fortifiedWines(String)
    case fruit(String), gins(String), herbs(String), juices(String), liqueurs(String)
    case otherAlcohol(String), otherNonAlc(String), rums(String), seasoning(String), soda(String)
    case syrups(String), vodkas(String), whiskies(String), wines(String)
  }

  struct Part: Codable, Equatable {
    var name: String
    var ingredientType: Kind
  }

  struct Tags: Codable, Equatable {
    var flavors: [String]?
    var profiles: [String]?
    var styles: [String]?
    var booze: [Part]?
    var nA: [Part]?
  }

  struct Prep: Codable, Equatable {
    var id: UUID
    var prepIngredientName: String
    var prepRecipe: [Instruction]
  }

  struct Color: Codable, Equatable {
    var linearRed: Float
    var linearGreen: Float
    var linearBlue: Float
    var opacity: Float
  }

  enum Collection: Int, Codable { case none = 1, modern, original, tiki }

  /// A value of an older or a newer version reads as `other`.
  enum Glassware: String, Codable {
    case coupe = "Coupe", collins = "Collins", flute = "Flute", other

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      self = Glassware(rawValue: text) ?? .other
    }
  }

  enum Ice: String, Codable {
    case koldDraft = "Kold Draft ice", large = "Large cube", cracked = "Cracked Kold Draft"
    case pebble = "Pebble ice", column = "Column ice"
  }

  enum Variation: String, Codable {
    case sidecar = "Sidecar", other

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      self = Variation(rawValue: text) ?? .other
    }
  }

  enum Unit: String, Codable {
    case ounce = "oz", dash, other

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      self = Unit(rawValue: text) ?? .other
    }
  }

  @Model
  final class Cocktail {
    #Index<Cocktail>([\.cocktailName], [\.collectionName], [\.cocktailName, \.collectionName])

    var id: UUID = UUID()
    @Attribute(.unique) var cocktailName: String
    var imageAsset: CocktailImage?
    var glasswareType: Glassware
    @Relationship(inverse: \Garnish.cocktails) var garnish: [Garnish]
    var ice: Ice?
    var author: Author?
    @Relationship(deleteRule: .cascade) var spec: [Ingredient]
    var buildOrder: Build?
    var notes: String?
    var compiledTags: Tags
    var variation: Variation?
    var variationName: String?
    var collection: Collection?
    var collectionName: String
    var titleCocktail: Bool?
    var isCustomCocktail: Bool

    init(cocktailName: String) {
      self.cocktailName = cocktailName
      glasswareType = .coupe
      garnish = []
      spec = []
      compiledTags = Tags()
      collectionName = ""
      isCustomCocktail = false
    }
  }

  @Model
  final class CocktailImage {
    var glassBackLayer: String
    var innerRim: String
    var glassReflection: String
    var drinkLayer: String
    var iceLayer: String?
    var straw: String?
    var garnishes: [String]?
    var inDrinkComponents: [String]?
    var backgroundColor: Color
    var drinkColor: Color

    init(_ color: Color) {
      glassBackLayer = ""
      innerRim = ""
      glassReflection = ""
      drinkLayer = ""
      backgroundColor = color
      drinkColor = color
    }
  }

  @Model
  final class Garnish {
    @Attribute(.unique) var name: String
    var cocktails: [Cocktail]?

    init(name: String) { self.name = name }
  }

  @Model
  final class Ingredient {
    var id: UUID
    var ingredientBase: IngredientBase
    var value: Double
    var unit: Unit

    init(_ base: IngredientBase) {
      id = UUID()
      ingredientBase = base
      value = 1
      unit = .ounce
    }
  }

  @Model
  final class IngredientBase {
    var id: UUID
    @Attribute(.unique) var name: String
    var info: String?
    var umbrellaCategory: String
    var baseCategory: String
    var specialtyCategory: String
    var tags: Tags?
    var prep: Prep?
    var isCustom: Bool = false

    init(name: String) {
      id = UUID()
      self.name = name
      umbrellaCategory = ""
      baseCategory = ""
      specialtyCategory = ""
    }
  }

  static let models: [any PersistentModel.Type] = [Cocktail.self]
}
