import Foundation
import OpenObjectModel
import Testing

@Suite("Diagrams of a model")
struct ModelDiagramTests {
  private func model() -> NSManagedObjectModel {
    let (owner, pet, dog) = (
      Make.entity("Owner", [Make.attribute("name", .string, optional: false)]),
      Make.entity("Pet", []), Make.entity("Dog", [Make.attribute("age", .integer16)])
    )
    pet.isAbstract = true
    pet.subentities = [dog]
    Make.relationships("pets", of: owner, 0, inverse: "owner", of: pet, 1)
    return Make.model([owner, pet, dog])
  }

  @Test("Mermaid text has boxes, inheritance, and one line for a relationship and its inverse")
  func mermaid() {
    #expect(
      ModelDiagram(model()).mermaid == """
        classDiagram
          class E0["Dog"] {
            Integer 16? age
          }
          class E1["Owner"] {
            String name
          }
          class E2["Pet"] {
            <<abstract>>
          }
          E2 <|-- E0
          E1 "0..1" --> "*" E2 : pets / owner

        """)
  }

  @Test("names with syntax in them are escaped")
  func escaping() throws {
    let model = Make.model([
      Make.entity("A\"]<script>&\u{1}", [Make.attribute("x`; }\n<b>", .string)])
    ])
    let diagram = ModelDiagram(model)
    #expect(!diagram.mermaid.contains("<script>") && !diagram.mermaid.contains("A\"]"))
    #expect(!diagram.svg.contains("<script>") && !diagram.svg.contains("<b>"))
    #expect(diagram.svg.contains("A&quot;]&lt;script&gt;&amp;\u{FFFD}"))
  }

  @Test("the picture has every entity, attribute and relationship, and boxes do not overlap")
  func picture() throws {
    let svg = ModelDiagram(model()).svg
    for text in ["Dog", "Owner", "Pet", "age", "Integer 16?", "pets", "Pet *", "Owner 0..1"] {
      #expect(svg.contains(">\(text)<"))
    }
    let frames = svg.split(separator: "\n").filter { $0.contains("#fdfdfd") }
      .map { line in line.split(separator: "\"").compactMap { Int($0) } }
    #expect(frames.count == 3)
    for (index, one) in frames.enumerated() {
      for other in frames[(index + 1)...] {
        let isApart =
          one[0] + one[2] <= other[0] || other[0] + other[2] <= one[0]
          || one[1] + one[3] <= other[1] || other[1] + other[3] <= one[1]
        #expect(isApart)
      }
    }
  }

  @Test("a diagram is the same each time")
  func stable() {
    #expect(ModelDiagram(model()).svg == ModelDiagram(model()).svg)
    let reversed = model()
    reversed.entities.reverse()
    #expect(ModelDiagram(reversed).mermaid == ModelDiagram(model()).mermaid)
  }

  @Test("relationships to the entity itself and without inverse are drawn")
  func loops() {
    let node = Make.entity("Node", [])
    Make.relationships("children", of: node, 0, inverse: "parent", of: node, 1)
    let friend = NSRelationshipDescription()
    friend.name = "friend"
    friend.maxCount = 1
    friend.destinationEntity = node
    node.properties.append(friend)
    let mermaid = ModelDiagram(Make.model([node])).mermaid
    #expect(mermaid.contains("E0 \"0..1\" --> \"*\" E0 : children / parent"))
    #expect(mermaid.contains("E0 --> \"0..1\" E0 : friend"))
    #expect(ModelDiagram(Make.model([node])).svg.contains(">friend<"))
  }

  @Test("a model too large to draw is drawn in part, with a note")
  func bounds() {
    let entities = (0..<1000).map { number in
      Make.entity(
        "E\(number)" + String(repeating: "x", count: 500),
        (0..<60).map { Make.attribute("a\($0)", .string) })
    }
    let diagram = ModelDiagram(Make.model(entities))
    #expect(diagram.svg.utf8.count < 5_000_000)
    #expect(diagram.svg.contains("Omitted entities: 700"))
    #expect(diagram.mermaid.contains("Omitted entities: 700"))
    #expect(diagram.svg.contains("20 more"))
  }

  @Test("a diagram states the number of relationships that it does not draw")
  func relationshipBounds() {
    let node = Make.entity("Node", [])
    node.properties = (0..<2_003).map { number in
      let relationship = NSRelationshipDescription()
      relationship.name = "r\(number)"
      relationship.destinationEntity = node
      return relationship
    }
    let diagram = ModelDiagram(Make.model([node]))
    #expect(diagram.svg.contains(">Omitted relationships: 3<"))
    #expect(diagram.mermaid.contains("%% Omitted relationships: 3\n"))
  }

  @Test("an empty model has a diagram")
  func empty() {
    #expect(ModelDiagram(NSManagedObjectModel()).mermaid == "classDiagram\n")
    #expect(ModelDiagram(NSManagedObjectModel()).svg.hasSuffix("</svg>\n"))
  }
}
