import OpenSourceRewriter
import Testing

/// Classes, accessors and properties of managed objects in rewritten sources.
@Suite struct RewrittenClassTests {
  @Test(
    "a managed class without a name for Objective-C is marked, so that its validation methods are found",
    arguments: [
      ("class A: NSManagedObject {}", "@ManagedObject class A: NSManagedObject {}"),
      (
        "@objcMembers @available(iOS 9, *) public final class A: NSManagedObject {}",
        "@available(iOS 9, *) @ManagedObject public final class A: NSManagedObject {}"
      ),
      (
        "#if canImport(ObjectiveC)\n@objc(B)\n#endif\nclass A: NSManagedObject {}",
        "#if canImport(ObjectiveC)\n\n#endif\n@ManagedObject(\"B\") class A: NSManagedObject {}"
      ),
      (
        "class A: Base {};typealias Base = CoreData.NSManagedObject",
        "@ManagedObject class A: Base {};typealias Base = CoreData.NSManagedObject"
      ),
      (
        "class A: X {\n#if T\n@NSManaged var a: Int\n#endif\n}",
        "@ManagedObject class A: X {\n#if T\n@Managed var a: Int\n#endif\n}"
      ),
      ("class A<T>: NSManagedObject {}", "class A<T>: NSManagedObject {}"),
      ("class A: NSObject {}", "class A: NSObject {}"),
      ("class A {}", "class A {}"),
    ])
  func marks(_ source: String, _ expected: String) throws {
    #expect(try rewritten(source) == expected)
  }

  @Test("a nested class can have a managed class's name")
  func nestedClasses() throws {
    #expect(
      try rewritten(
        "@objc(Book) class Book: NSManagedObject {}; enum Row { @objc(R) class Book: NSObject {} }")
        == "@ManagedObject(\"Book\") class Book: NSManagedObject {}; "
        + "enum Row { class Book: NSObject { private final class __ManagedClassName_R {};} }")
    #expect(
      try rewritten(
        "class Book {}; enum Row { class Book: NSManagedObject {}; class Sub: Book {} }; class E: Book {}"
      )
        == "class Book {}; enum Row { @ManagedObject class Book: NSManagedObject {}; "
        + "@ManagedObject class Sub: Book {} }; class E: Book {}")
    #expect(
      try rewritten(
        "extension Row { class Sub: Book {} }; enum Row { class Book: NSManagedObject {} }"
      )
      .hasPrefix("extension Row { @ManagedObject class Sub: Book {} }"))
    #expect(
      try rewritten("func f() { class A: NSManagedObject {} }; func g() { class A: NSObject {} }")
        == "func f() { @ManagedObject class A: NSManagedObject {} }; func g() { class A: NSObject {} }"
    )
  }

  @Test("private classes in two files can have the same name")
  func privateClasses() throws {
    let texts = try SourceRewriter.rewrite([
      SourceText(path: "A.swift", text: "private class Row: NSManagedObject {}"),
      SourceText(path: "B.swift", text: "@objc(Row) private class Row: NSObject {}"),
    ])
    #expect(texts[0].hasSuffix("@ManagedObject private class Row: NSManagedObject {}"))
    #expect(texts[1].hasSuffix("\nprivate class Row: NSObject {}"))
  }

  @Test("classes of other targets and of models are known, and their sources are not written")
  func otherTargets() throws {
    let texts = try SourceRewriter.rewrite(
      [
        SourceText(
          path: "A.swift", text: "@objc(B) class A: Base {}; let k = #keyPath(thing.URL.path)")
      ],
      context: [
        SourceText(
          path: "Base.swift", text: "public class Base: NSManagedObject {}; class thing {}"),
        SourceText(path: "Broken.swift", text: "class {"),
      ])
    #expect(texts.count == 1)
    #expect(texts[0].hasSuffix("@ManagedObject(\"B\") class A: Base {}; let k = \"URL.path\""))
  }

  @Test(
    "a key path contains the Objective-C names of managed properties",
    arguments: [
      ("#keyPath(App._name)", "name"), ("#keyPath(App.latest)", "latestVersion"),
      ("#keyPath(App.latest._build)", "latestVersion.build"),
      ("#keyPath(App._versions._build)", "versions.build"),
      ("#keyPath(Module.Game.latest._build)", "latestVersion.build"),
      ("#keyPath(App.computed)", "computed"), ("#keyPath(App.unknown._build)", "unknown._build"),
      ("#keyPath(Other._name)", "_name"),
    ])
  func objectiveCNamesInKeyPaths(_ source: String, _ expected: String) throws {
    let classes = """
      class Game: App {}
      class App: NSManagedObject {
        @objc(name) @NSManaged private var _name: String
        @NSManaged @objc(latestVersion) var latest: Version?
        @NSManaged @objc(versions) var _versions: Set<Version>
        @objc(other) var computed: Int { 1 }
        func key() -> String { #keyPath(_name) + #keyPath(self.latest._build) }
      }
      extension Version { @NSManaged @objc(build) var _build: String! }
      class Version: NSManagedObject {}
      """
    let text = try rewritten("let key = \(source)\n\(classes)", modules: ["Module"])
    #expect(text.contains("let key = \"\(expected)\"\n"))
    #expect(text.contains("{ \"name\" + \"latestVersion.build\" }"))
  }

  @Test(
    "an accessor belongs to the relationship that the class has, or that its name probably means",
    arguments: [
      ("@NSManaged var eBooks: NSSet?", "@objc(addEBooksObject:)", "EBooks", "@ManagedAccessor"),
      (
        "@NSManaged var EBooks: NSSet?", "@objc(addEBooksObject:)", "EBooks",
        "@ManagedAccessor(\"EBooks\")"
      ),
      ("", "@objc(addEBooksObject:)", "EBooks", "@ManagedAccessor"),
      ("", "@objc(addIPhonesObject:)", "IPhones", "@ManagedAccessor"),
      ("", "@objc(addXAxesObject:)", "XAxes", "@ManagedAccessor"),
      ("", "", "URLs", "@ManagedAccessor(\"URLs\")"),
      ("@NSManaged var uRLs: NSSet?", "", "URLs", "@ManagedAccessor"),
    ])
  func accessors(
    _ property: String, _ selector: String, _ name: String, _ attribute: String
  ) throws {
    let text = try rewritten(
      "class A {\(property)}\nextension A {\(selector)@NSManaged func addTo\(name)(_ x: X)}")
    #expect(text.hasSuffix("\nextension A {\(attribute) func addTo\(name)(_ x: X)}"))
  }

  @Test("parameters without a name get one")
  func unnamedParameters() throws {
    #expect(
      try rewritten("class A { @NSManaged func addToXs(_: X) }")
        == "class A { @ManagedAccessor func addToXs(_ value: X) }")
  }

  @Test("each property of a declaration keeps the attributes and modifiers")
  func severalProperties() throws {
    #expect(
      try rewritten(
        "class A { @available(iOS 13,\n *) @objc @NSManaged public private(set) var a, b: Int }")
        == "class A { @available(iOS 13,\n *) @Managed public private(set) var a: Int; "
        + "@available(iOS 13, *) @Managed public private(set) var b: Int }")
    let problem = try failure("class A {\n#if X\n@objc\n#endif\n@NSManaged var a, b: Int }")
    #expect(problem?.message.contains("cannot have conditional attributes") == true)
  }

  @Test("members of a public extension are rewritten")
  func publicExtension() throws {
    #expect(
      try rewritten("public extension A { @NSManaged var a: Set<B>; class B: NSManagedObject {} }")
        == "public extension A { @Managed var a: Set<B>; @ManagedObject class B: NSManagedObject {} }"
    )
  }
}
