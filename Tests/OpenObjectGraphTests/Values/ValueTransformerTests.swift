import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

@Suite("Value transformers")
struct ValueTransformerTests {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  // MARK: The registry

  @Test("a transformer is found by the name that it was registered under, until it is removed")
  func registry() {
    let name = NSValueTransformerName("registry-\(UUID().uuidString)")
    #expect(ValueTransformer(forName: name) == nil)
    let transformer = TagsTransformer()
    ValueTransformer.setValueTransformer(transformer, forName: name)
    #expect(ValueTransformer(forName: name) === transformer)
    #expect(TagsTransformer(forName: name) === transformer)
    #expect(NSSecureUnarchiveFromDataTransformer(forName: name) == nil)
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
    #expect(!ValueTransformer.valueTransformerNames().contains(name))
  }

  @Test("Foundation's transformers are registered")
  func builtIn() throws {
    let names = ValueTransformer.valueTransformerNames()
    #expect(names.contains(.secureUnarchiveFromDataTransformerName))
    #expect(names.contains(.isNilTransformerName))
    let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
    #expect(negate.transformedValue(true) as? Bool == false)
    #expect(negate.reverseTransformedValue(NSNumber(value: false)) as? Bool == true)
    let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
    #expect(isNil.transformedValue(nil) as? Bool == true)
    #expect(isNil.transformedValue(1) as? Bool == false)
    #expect(type(of: isNil).allowsReverseTransformation() == false)
    #expect(isNil.reverseTransformedValue(true) == nil)
    let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
    #expect(isNotNil.transformedValue(NSNull()) as? Bool == false)
    for name in ["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData"] {
      let transformer = try #require(ValueTransformer(forName: NSValueTransformerName(name)))
      let data = try #require(transformer.reverseTransformedValue(["a": [1, 2]]) as? Data)
      #expect(transformer.transformedValue(data) as? [String: [Int]] == ["a": [1, 2]])
      #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
      #expect(transformer.transformedValue("no data") == nil)
      #expect(transformer.transformedValue(nil) == nil)
    }
  }

  @Test("a class makes its transformer when its name is looked up, once")
  func foundByClassName() throws {
    let plain = try #require(ValueTransformer(forName: NSValueTransformerName("FoundTransformer")))
    #expect(plain is FoundTransformer)
    #expect(ValueTransformer(forName: NSValueTransformerName("FoundTransformer")) === plain)
    let name = NSValueTransformerName(String(reflecting: FoundTransformer.self))
    #expect(ValueTransformer(forName: name) is FoundTransformer)
    #expect(ValueTransformer(forName: NSValueTransformerName("TagsTransformer")) == nil)
  }

  // MARK: Attributes

  @Test(
    "a registered transformer makes the bytes of an attribute's values, and values of bytes",
    arguments: stores)
  func plainTransformer(type: String) throws {
    let name = register(TagsTransformer())
    let stack = try ThingStack(type) { $0.attributesByName["blob"]?.valueTransformerName = name }
    let tags = Tags(names: ["a", "b"], count: 2)
    try stack.run { context in
      let thing = HostileThing(context: context)
      thing.setValue(tags, forKey: "blob")
      try context.save()
      #expect(thing.value(forKey: "blob") as? Tags == tags)
      #expect(thing.committedValues(forKeys: ["blob"])["blob"] as? Tags == tags)
    }
    if type == NSSQLiteStoreType {
      let bytes = try stack.storedBytes()
      #expect(try JSONDecoder().decode(Tags.self, from: try #require(bytes)) == tags)
    }
    #expect(try stack.takeValue("blob") as? Tags == tags)
  }

  @Test(
    "a subclass of NSSecureUnarchiveFromDataTransformer stores objects of the classes it allows",
    arguments: stores)
  func secureTransformer(type: String) throws {
    let name = register(CoverTransformer())
    let stack = try ThingStack(type) { $0.attributesByName["blob"]?.valueTransformerName = name }
    try stack.run { context in
      let thing = HostileThing(context: context)
      thing.setValue(
        CodedCover("outer", pages: 3, next: CodedCover("inner", pages: 4)), forKey: "blob")
      try context.save()
    }
    let cover = try #require(try stack.takeValue("blob") as? CodedCover)
    #expect(cover.title == "outer" && cover.next?.pages == 4)
  }

  @Test(
    "allowedTopLevelClasses contains transformedValueClass(), or Foundation's classes by default")
  func allowedClasses() {
    #expect(CoverClassTransformer.allowedTopLevelClasses.map { "\($0)" } == ["CodedCover"])
    #expect(NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses.count == 10)
    let cover = CodedCover("title", pages: 1)
    let data = CoverClassTransformer().reverseTransformedValue(cover)
    #expect((CoverClassTransformer().transformedValue(data) as? CodedCover)?.title == "title")
    #expect(NSSecureUnarchiveFromDataTransformer().reverseTransformedValue(cover) == nil)
    #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(data) == nil)
  }

  @Test("the error for an object of a class in a function says where to declare the class")
  func localClass() throws {
    final class LocalCover: NSObject, NSCoding {
      override init() { super.init() }
      init?(coder: NSCoder) { super.init() }
      func encode(with coder: NSCoder) {}
    }
    final class LocalTransformer: NSSecureUnarchiveFromDataTransformer {
      override class var allowedTopLevelClasses: [AnyClass] { [LocalCover.self] }
    }
    let name = register(LocalTransformer())
    let stack = try ThingStack(NSSQLiteStoreType) {
      $0.attributesByName["blob"]?.valueTransformerName = name
    }
    try stack.run { context in
      let thing = HostileThing(context: context)
      thing.setValue(LocalCover(), forKey: "blob")
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectValidation)
      #expect(error.localizedDescription.contains("LocalCover"))
      #expect(error.localizedDescription.contains("Declare the class at file level"))
    }
  }

  @Test(
    "a value that the transformer refuses makes the save throw 1550 with attribute and reason",
    arguments: [
      ("not allowed", "allowed top-level classes"), ("nil", "returned nil"),
      ("no data", "must return Data"), ("one way", "reverse transformation"),
      ("lossy", "could not be read back"),
    ])
  func refused(kind: String, reason: String) throws {
    let transformers: [String: ValueTransformer] = [
      "not allowed": CoverTransformer(), "nil": BlockTransformer({ _ in nil }, { $0 }),
      "no data": BlockTransformer({ "\($0)" }, { $0 }), "one way": OneWayTransformer(),
      "lossy": BlockTransformer({ _ in Data([1]) }, { _ in nil }),
    ]
    let name = register(try #require(transformers[kind]))
    let stack = try ThingStack(NSSQLiteStoreType) {
      $0.attributesByName["blob"]?.valueTransformerName = name
    }
    try stack.run { context in
      let thing = HostileThing(context: context)
      thing.setValue(["a text"], forKey: "blob")
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .managedObjectValidation)
      #expect(error.validationKey == "blob")
      #expect(error.localizedDescription.contains(reason), "\(error.localizedDescription)")
      thing.setValue(nil, forKey: "blob")
      try context.save()
    }
  }

  @Test("an archive with objects of a class that the transformer does not allow is read as nil")
  func hostileArchive() throws {
    let name = register(CoverTransformer())
    let stack = try ThingStack(NSSQLiteStoreType) {
      $0.attributesByName["blob"]?.valueTransformerName = name
    }
    let nested = try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: [IndexPath(index: 1) as NSIndexPath]),
      requiringSecureCoding: false)
    for bytes in [nested, Data(), Data([0, 255, 1]), Data("bplist00".utf8)] {
      try stack.store(bytes)
      #expect(try stack.takeValue("blob") == nil)
    }
  }

  @Test("without a registered transformer values are archived, and the name is logged once")
  func unregistered() throws {
    let name = "missing-\(UUID().uuidString)"
    let stack = try ThingStack(NSSQLiteStoreType) {
      $0.attributesByName["blob"]?.valueTransformerName = name
    }
    try stack.run { context in
      for number in 0..<3 {
        HostileThing(context: context).setValue([number], forKey: "blob")
      }
      try context.save()
    }
    let messages = UnknownTransformers.messages.filter { $0.contains(name) }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("attribute blob") == true)
    #expect(try stack.takeValue("blob") is [Int])
  }

  @Test("the default of an attribute with a transformer applies and is stored by the transformer")
  func defaults() throws {
    let name = register(TagsTransformer())
    let tags = Tags(names: ["default"], count: 1)
    let stack = try ThingStack(NSSQLiteStoreType) { thing in
      thing.attributesByName["blob"]?.valueTransformerName = name
      thing.attributesByName["blob"]?.defaultValue = tags
    }
    try stack.run { context in
      let thing = HostileThing(context: context)
      #expect(thing.value(forKey: "blob") as? Tags == tags)
      try context.save()
    }
    let bytes = try stack.storedBytes()
    #expect(try JSONDecoder().decode(Tags.self, from: try #require(bytes)) == tags)
    #expect(try stack.takeValue("blob") as? Tags == tags)
  }

  @Test("a default whose transformer is not registered makes the model unusable")
  func defaultWithoutTransformer() throws {
    let error = try #require(throws: CocoaError.self) {
      try ThingStack(NSInMemoryStoreType) { thing in
        thing.attributesByName["blob"]?.valueTransformerName = "missing-\(UUID().uuidString)"
        thing.attributesByName["blob"]?.defaultValue = ["a"]
      }
    }
    let cause = try #require(error.userInfo["OpenModelError"] as? ModelError)
    #expect(cause.code == .mismatchedDefault && cause.propertyName == "blob")
  }

  @Test("batch insertions, child contexts and history use the transformer too", arguments: stores)
  func elsewhere(type: String) throws {
    let name = register(TagsTransformer())
    let stack = try ThingStack(type) { thing in
      thing.attributesByName["blob"]?.valueTransformerName = name
    }
    let tags = Tags(names: ["batch"], count: 1)
    try stack.run { context in
      let request = NSBatchInsertRequest(entityName: "Thing", objects: [["blob": tags]])
      _ = try context.execute(request)
    }
    #expect(try stack.takeValue("blob") as? Tags == tags)
    let parent = stack.makeContext()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    try child.performAndWait {
      HostileThing(context: child).setValue(tags, forKey: "blob")
      try child.save()
    }
    try parent.performAndWait {
      let things = try parent.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      #expect(things.first?.value(forKey: "blob") as? Tags == tags)
      try parent.save()
    }
    #expect(try stack.takeValue("blob") as? Tags == tags)
  }

  /// Registers a transformer under a unique name.
  private func register(_ transformer: ValueTransformer) -> String {
    let name = "test-\(UUID().uuidString)"
    ValueTransformer.setValueTransformer(transformer, forName: NSValueTransformerName(name))
    return name
  }
}

// MARK: Transformers

/// A value of a structure that codes itself.
private struct Tags: Codable, Equatable {
  var names: [String]
  var count: Int
}

/// Keeps tags as JSON.
private final class TagsTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSData.self }
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Tags).flatMap { try? JSONEncoder().encode($0) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { try? JSONDecoder().decode(Tags.self, from: $0) }
  }
}

/// A transformer that declares its own initializer.
private final class BlockTransformer: ValueTransformer {
  private let forward: (Any) -> Any?
  private let backward: (Any) -> Any?

  init(_ forward: @escaping (Any) -> Any?, _ backward: @escaping (Any) -> Any?) {
    self.forward = forward
    self.backward = backward
    super.init()
  }

  override func transformedValue(_ value: Any?) -> Any? { value.flatMap(forward) }
  override func reverseTransformedValue(_ value: Any?) -> Any? { value.flatMap(backward) }
}

private final class OneWayTransformer: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { false }
  override func transformedValue(_ value: Any?) -> Any? { Data([1]) }
}

private final class CoverTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { [CodedCover.self] }

  override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    return super.transformedValue(data)
  }
}

private final class CoverClassTransformer: NSSecureUnarchiveFromDataTransformer {
  override class func transformedValueClass() -> AnyClass { CodedCover.self }
}

final class FoundTransformer: NSSecureUnarchiveFromDataTransformer {}

extension FoundTransformer: NamedValueTransformer {
  static func makeTransformer() -> ValueTransformer { FoundTransformer() }
}

// MARK: Bytes

extension ThingStack {
  private static func bytesModel() -> NSManagedObjectModel {
    model { $0.attributesByName["blob"]?.type = .binaryData }
  }

  /// The bytes that the attribute `blob` of the only thing has in the store.
  fileprivate func storedBytes() throws -> Data? {
    let context = try reader(Self.bytesModel())
    return try context.performAndWait {
      let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      return things.first?.value(forKey: "blob") as? Data
    }
  }

  /// Stores a thing whose attribute `blob` has bytes that another program wrote.
  fileprivate func store(_ bytes: Data) throws {
    let context = try reader(Self.bytesModel())
    try context.performAndWait {
      HostileThing(context: context).setValue(bytes, forKey: "blob")
      try context.save()
    }
  }
}
