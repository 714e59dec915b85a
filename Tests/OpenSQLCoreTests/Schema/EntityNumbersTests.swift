import OpenSQLCore
import Testing

@Suite("The numbers of entities")
struct EntityNumbersTests {
  @Test(
    "a damaged number, which no entity has, leads to no entity of the model",
    arguments: [Int64.min, -1, 0, 3, .max])
  func unknownNumber(_ number: Int64) {
    let indexes = 0..<2
    #expect(!indexes.contains(EntityNumbers().index(of: number)))
    #expect(!indexes.contains(EntityNumbers([7, 9]).index(of: number)))
  }
}
