import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

@Suite("Findings about a model")
struct ModelLintTests {
  private let owner = Make.entity("Owner", [Make.attribute("name", .string)])
  private let pet = Make.entity("Pet", [Make.attribute("name", .string)])

  init() { Make.relationships("pets", of: owner, 0, inverse: "owner", of: pet, 1) }

  private func findings(
    _ change: () -> Void = {}, adding entities: [NSEntityDescription] = []
  ) -> [String] {
    change()
    return ModelLint.findings(in: Make.model([owner, pet] + entities)).map { finding in
      let place = [finding.entityName, finding.propertyName].compactMap { $0 }
        .joined(separator: ".")
      return "\(finding.severity) \(finding.code.rawValue) \(place)"
    }
  }

  private var pets: NSRelationshipDescription? { owner.relationshipsByName["pets"] }
  private var petOwner: NSRelationshipDescription? { pet.relationshipsByName["owner"] }

  @Test("a valid model has no findings, and stays mutable")
  func sound() {
    #expect(findings().isEmpty)
    pet.name = "Animal"
    #expect(pet.name == "Animal")
  }

  @Test("inverses that are missing or one-sided are found")
  func inverses() {
    let found = findings { pets?.inverseRelationship = nil }
    #expect(found.contains("warning missing-inverse Owner.pets"))
    #expect(found.contains("error one-sided-inverse Pet.owner"))
  }

  @Test("counts that cannot be met, or do not count, are found")
  func counts() {
    #expect(
      findings {
        pets?.minCount = 3
        pets?.maxCount = 2
      } == ["error impossible-count Owner.pets", "advice optional-minimum Owner.pets"])
    #expect(
      findings {
        pets?.minCount = 0
        pets?.maxCount = 0
        pets?.isOptional = false
      } == ["advice empty-required-to-many Owner.pets"])
  }

  @Test("a delete rule that clears a required relationship is found; cascade is not")
  func deleteRule() {
    #expect(
      findings { petOwner?.isOptional = false } == ["warning nullifies-required Owner.pets"])
    #expect(findings { pets?.deleteRule = .cascadeDeleteRule } == [])
  }

  /// Entities whose names differ in case make a model unusable too: their tables would have one name.
  @Test("names that objects have, and names that differ in case, are found")
  func names() {
    let found = findings(
      {
        pet.properties.append(Make.attribute("description", .string))
        pet.properties.append(Make.attribute("NAME", .string))
      }, adding: [Make.entity("PET", [])])
    #expect(
      Set(found) == [
        "error unusable PET", "warning names-differ-in-case PET",
        "warning names-differ-in-case Pet",
        "warning names-differ-in-case Pet.NAME", "error reserved-name Pet.description",
        "warning names-differ-in-case Pet.name",
      ])
  }

  @Test("transformers without class checks are found; secure and custom ones are not")
  func transformers() {
    let photo = Make.attribute("photo", .transformable)
    pet.properties.append(photo)
    let expected = ["warning insecure-transformer Pet.photo"]
    #expect(findings() == expected)
    #expect(findings { photo.valueTransformerName = "NSKeyedUnarchiveFromData" } == expected)
    for name in ["NSSecureUnarchiveFromData", "ColorTransformer"] {
      #expect(findings { photo.valueTransformerName = name } == [])
    }
  }

  @Test("missing and rejected default values are found")
  func defaults() {
    let age = Make.attribute("age", .integer16, optional: false)
    pet.properties.append(age)
    #expect(findings() == ["advice missing-default Pet.age"])
    age.setValidationPredicates([NSPredicate(format: "SELF > 0")], withValidationWarnings: ["no"])
    #expect(findings { age.defaultValue = 0 } == ["warning refused-default Pet.age"])
    #expect(findings { age.defaultValue = 1 } == [])
  }

  @Test("a constraint on a relationship is found")
  func constraints() {
    #expect(
      findings { pet.uniquenessConstraints = [["owner", "name"]] } == [
        "error constraint-on-other Pet.owner"
      ])
  }

  @Test("an abstract entity without objects is found")
  func abstract() {
    let (base, leaf) = (Make.entity("Base", []), Make.entity("Leaf", []))
    base.isAbstract = true
    #expect(findings(adding: [base]) == ["warning empty-abstract Base"])
    base.subentities = [leaf]
    #expect(findings(adding: [base, leaf]).isEmpty)
  }

  @Test("a problem that makes a model unusable is an error; cycles do not hang")
  func unusable() {
    let (one, other) = (Make.entity("One", []), Make.entity("Other", []))
    one.subentities = [other]
    other.subentities = [one]
    one.isAbstract = true
    other.isAbstract = true
    defer { other.subentities = [] }
    let found = findings(adding: [one, other])
    #expect(found.contains("error unusable One"))
  }

  @Test("a finding is one line with place, advice and code")
  func text() throws {
    pets?.isOptional = false
    let finding = try #require(ModelLint.findings(in: Make.model([owner, pet])).first)
    #expect(finding.description.hasPrefix("advice Owner.pets: "))
    #expect(finding.description.hasSuffix("[empty-required-to-many]"))
  }
}
