import Foundation
import OpenMigration
import OpenObjectModel
import OpenPredicates
import Testing

import class OpenPredicates.NSExpression

@Suite("Damaged and hostile files of mapping models")
struct MappingDamageTests {
  private let folder: MappingFolder
  private let sample: Data

  init() throws {
    folder = try MappingFolder()
    let expression = try NSExpression.parsing(
      "FUNCTION($manager, \"describe:\", $source.title)")
    try MappingFileTests.model(expression, userInfo: ["names": Set(["a"])])
      .write(to: folder["Sample.cdm"])
    sample = try Data(contentsOf: folder["Sample.cdm"])
  }

  private func error(_ data: Data) throws -> MigrationError? {
    let file = try folder.write(data, to: "M.cdm")
    return mappingError { () throws(MigrationError) in try NSMappingModel.reading(file) }
  }

  /// The sample with objects of its property list replaced.
  private func changed(_ change: (inout [PropertyListNode]) -> Void) throws -> Data {
    let list = try BinaryPropertyList(sample)
    var nodes = list.nodes
    change(&nodes)
    return BinaryPropertyList(of: nodes, root: list.root).encoded()
  }

  private func replacing(_ old: PropertyListNode, with new: PropertyListNode) throws -> Data {
    try changed { nodes in nodes = nodes.map { $0 == old ? new : $0 } }
  }

  @Test("a file truncated or changed at any byte is read or rejected, without a trap")
  func corruption() throws {
    for length in stride(from: 0, to: sample.count, by: 3) {
      #expect(try error(sample.prefix(length))?.code == .malformedMapping)
    }
    for place in sample.indices {
      var damaged = sample
      damaged[place] ^= [UInt8(0x01), 0x80, 0xFF][place % 3]
      let error = try error(damaged)
      #expect(error == nil || error?.code == .malformedMapping)
    }
  }

  @Test("several random changes at once are read or rejected", arguments: 0..<20)
  func randomDamage(_ seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    for _ in 0..<50 {
      var damaged = sample
      for _ in 0..<Int.random(in: 1...12, using: &numbers) {
        let place = Int.random(in: damaged.indices, using: &numbers)
        damaged[place] = UInt8.random(in: 0...255, using: &numbers)
      }
      let error = try error(damaged)
      #expect(error == nil || error?.code == .malformedMapping, "seed \(seed)")
    }
  }

  @Test("objects of other classes and impossible values are rejected with a reason")
  func wrongValues() throws {
    let other = try error(
      try replacing(.string("NSMappingModel"), with: .string("NSManagedObjectModel")))
    #expect(other?.code == .malformedMapping)
    #expect(other?.message.contains("NSManagedObjectModel") == true)
    #expect(other?.message.contains("mapping model is damaged") == true)
    #expect(other?.underlying is ModelError)
    let entity = try error(try replacing(.string("NSEntityMapping"), with: .string("Evil")))
    #expect(entity?.code == .malformedMapping)
    let property = try error(try replacing(.string("NSPropertyMapping"), with: .string("Evil")))
    #expect(property?.code == .malformedMapping && property?.entityName == "Book")
    let expression = try error(
      try replacing(.string("NSVariableExpression"), with: .string("NSBlockExpression")))
    #expect(expression?.code == .malformedMapping && expression?.propertyName == "title")
    for type in [-1, 6, Int64.max] {
      let data = try changed { nodes in
        for place in nodes.indices {
          guard case .dictionary(let keys, let values) = nodes[place] else { continue }
          for (key, value) in zip(keys, values) where nodes[key] == .string("NSMappingType") {
            nodes[value] = .int(type)
          }
        }
      }
      #expect(try error(data)?.code == .malformedMapping)
    }
  }

  @Test(
    "a method with the name of a function is rejected, because expressions could not distinguish them"
  )
  func methodNamedAsFunction() throws {
    let error = try error(try replacing(.string("describe:"), with: .string("sum:")))
    #expect(error?.code == .malformedMapping)
    #expect(error?.message.contains("sum:") == true)
  }

  @Test("an expression that contains itself is rejected")
  func circles() throws {
    // The function's operand is the function itself.
    let data = try changed { nodes in
      var function = UInt64(0)
      for case .array(let members) in nodes where members.count > 4 {
        for (reference, member) in members.enumerated() {
          guard case .dictionary(let keys, _) = nodes[member],
            keys.contains(where: { nodes[$0] == .string("NSOperand") })
          else { continue }
          function = UInt64(reference)
        }
      }
      let own = nodes.count
      nodes.append(.uid(function))
      for place in nodes.indices {
        guard case .dictionary(let keys, var values) = nodes[place] else { continue }
        for (index, key) in keys.enumerated() where nodes[key] == .string("NSOperand") {
          values[index] = own
        }
        nodes[place] = .dictionary(keys: keys, values: values)
      }
    }
    #expect(try error(data)?.code == .malformedMapping)
  }

  @Test("a list that contains one mapping very often is rejected")
  func manyMappings() throws {
    let data = try changed { nodes in
      let mapping = nodes.indices.first { place in
        guard case .dictionary(let keys, _) = nodes[place] else { return false }
        return keys.contains { nodes[$0] == .string("NSMappingName") }
      }
      var reference = UInt64(0)
      for case .array(let members) in nodes {
        if let mapping, let place = members.firstIndex(of: mapping) { reference = UInt64(place) }
      }
      let uid = nodes.count
      nodes.append(.uid(reference))
      for place in nodes.indices {
        guard case .array(let members) = nodes[place], members.count == 1,
          case .uid(reference)? = members.first.map({ nodes[$0] })
        else { continue }
        nodes[place] = .array(Array(repeating: uid, count: 200_000))
      }
    }
    let error = try error(data)
    #expect(error?.code == .malformedMapping)
    #expect(error?.message.contains("100,000") == true)
  }

  @Test("too deeply nested expressions are rejected when written and when read")
  func depth() throws {
    var text = "$source.a"
    for _ in 0..<190 { text = "FUNCTION($manager, \"f:\", \(text))" }
    let expression = NSExpression(format: text)
    let file = folder["Deep.cdm"]
    let error = mappingError { () throws(MigrationError) in
      let model = MappingFileTests.model(expression)
      try model.write(to: file)
      return try NSMappingModel.reading(file)
    }
    #expect(error == nil || error?.code == .unarchivableMapping)
  }

  @Test("a pipe is rejected without waiting for it")
  func pipes() throws {
    let pipe = folder["Pipe.cdm"]
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let error = mappingError { () throws(MigrationError) in try NSMappingModel.reading(pipe) }
    #expect(error?.code == .unreadableMapping)
  }
}

/// Numbers that follow from a seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
