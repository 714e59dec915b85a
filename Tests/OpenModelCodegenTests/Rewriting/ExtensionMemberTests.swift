import OpenSourceRewriter
import Testing

/// Members of extensions that must be in the class, because overrides in extensions are not found.
@Suite("Members of extensions") struct ExtensionMemberTests {
  private func rewritten(
    _ sources: [String], generated: [String] = [], context: [String] = []
  ) throws -> [String] {
    try SourceRewriter.rewrite(
      texts(sources, "S"), generated: texts(generated, "G"), context: texts(context, "C"))
  }

  private func texts(_ sources: [String], _ name: String) -> [SourceText] {
    sources.enumerated().map { SourceText(path: "\(name)\($0 + 1).swift", text: $1) }
  }

  private func problems(_ sources: [String], context: [String] = []) -> [String] {
    do {
      _ = try rewritten(sources, context: context)
      return []
    } catch { return (error as? RewriteError)?.problems.map(\.description) ?? ["\(error)"] }
  }

  @Test("an override stays in place under another name, and the class calls it")
  func overrides() throws {
    let texts = try rewritten([
      "class A: NSManagedObject {\n}\n",
      """
      import CoreData

      extension A {
        public override func willSave() {
          super.willSave()
        }
      }

      """,
    ])
    #expect(
      texts[0] == """
        import CoreData
        #sourceLocation(file: "S1.swift", line: 1)
        @ManagedObject class A: NSManagedObject {

        #sourceLocation(file: "S2.swift", line: 4)
        public override func willSave() { return __A_willSave() }
        #sourceLocation(file: "S1.swift", line: 2)
        }

        """)
    #expect(
      texts[1] == """
        #sourceLocation(file: "S2.swift", line: 1)
        import CoreData

        extension A {
          public func __A_willSave() {
            super.willSave()
          }
        }

        """)
  }

  @Test(
    "parameters, results, errors, accessors and modifiers match the member",
    arguments: [
      (
        "override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}",
        "override func awake(fromSnapshotEvents flags: NSSnapshotEventType) "
          + "{ return __A_awake(fromSnapshotEvents: flags) }"
      ),
      (
        "override func value(forKey key: String) -> Any? { nil }",
        "override func value(forKey key: String) -> Any? { return __A_value(forKey: key) }"
      ),
      (
        "override func validateForInsert() throws {}",
        "override func validateForInsert() throws { return try __A_validateForInsert() }"
      ),
      (
        "@MainActor override open class func f<T>(_ a: T, b: inout Int) async -> T where T: P { a }",
        "@MainActor override open class func f<T>(_ a: T, b: inout Int) async -> T where T: P "
          + "{ return await __A_f(a, b: &b) }"
      ),
      (
        "override var description: String { \"\" }",
        "override var description: String { get { return __A_description } }"
      ),
      (
        "override var note: String? { get throws { nil } }",
        "override var note: String? { get throws { return try __A_note } }"
      ),
      (
        "override var note: String? { get { nil } set {} }",
        "override var note: String? { get { return __A_note } set { __A_note = newValue } }"
      ),
      (
        "@objc func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}",
        "func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws "
          + "{ return try __A_validateTitle(value) }"
      ),
      (
        // The macro of the class reports the type of the pointer.
        "@objc func validateAge(_ v: AutoreleasingUnsafeMutablePointer<NSNumber?>) throws {}",
        "func validateAge(_ v: AutoreleasingUnsafeMutablePointer<NSNumber?>) throws "
          + "{ return try __A_validateAge(v) }"
      ),
    ])
  func forms(_ member: String, _ expected: String) throws {
    let text = try rewritten(["class A: NSManagedObject {}\nextension A { \(member) }"])[0]
    #expect(text.contains("\n" + expected + "\n"))
  }

  @Test("properties for Objective-C are read by key, except those that cannot be")
  func properties() throws {
    let text = try rewritten([
      """
      class A: NSManagedObject {}
      extension A {
        @objc var initial: String { "" }
        @objc static var all: Int { 0 }
        @nonobjc var none: Int { 0 }
        var plain: Int { 0 }
        @objc var failing: Int { get throws { 0 } }
        @available(*, unavailable) @objc var gone: Int { 0 }
        #if os(Linux)
        @objc var here: Int { 0 }
        #elseif DEBUG
        @objc var there: Int { 0 }
        #endif
        #if canImport(UIKit)
        @objc var image: UIImage { UIImage() }
        #endif
      }
      """
    ])[0]
    #expect(
      text.contains(
        """
        @ReadableByKey @ManagedObject class A: NSManagedObject {
        private func __readableInExtensions(forKey key: Swift.String, else rest: () -> Any?) -> Any? {
        switch key {
        case "initial": return self.initial
        #if (os(Linux))
        case "here": return self.here
        #endif
        default: return rest()
        }
        }
        #sourceLocation(file: "S1.swift", line: 1)
        }
        """))
  }

  @Test("all members of a class with @objcMembers are read by key")
  func objcMembers() throws {
    let text = try rewritten([
      "extension A { var initial: String { \"\" } }", "@objcMembers class A: NSManagedObject {}",
    ])[1]
    #expect(text.contains("case \"initial\": return self.initial\n"))
  }

  @Test("members in conditional blocks exist under the same conditions")
  func conditions() throws {
    let text = try rewritten([
      """
      class A: NSManagedObject {}
      #if X
      #else
      extension A {
      #if Y
      override func willSave() {}
      #endif
      }
      #endif
      """
    ])[0]
    #expect(
      text.contains(
        """
        #if !(X) && (Y)
        #sourceLocation(file: "S1.swift", line: 6)
        override func willSave() { return __A_willSave() }
        #endif
        """))
  }

  @Test("nested classes, type aliases and names after a module are followed")
  func names() throws {
    let texts = try SourceRewriter.rewrite(
      [
        SourceText(
          path: "A.swift", text: "enum N { class A: NSManagedObject {} }; typealias B = N.A"),
        SourceText(path: "B.swift", text: "extension B { override func willSave() {} }"),
        SourceText(path: "C.swift", text: "extension M.N.A { override func didSave() {} }"),
        SourceText(
          path: "D.swift", text: "class A: NSObject {}; extension A { override func f() {} }"),
      ], modules: ["M"])
    #expect(texts[0].contains("override func willSave() { return __N_A_willSave() }"))
    #expect(texts[0].contains("override func didSave() { return __N_A_didSave() }"))
    #expect(texts[3].contains("extension A { override func f() {} }"))
  }

  @Test("generated classes get the members of the module's sources")
  func generatedClasses() throws {
    let generated = "@ManagedObject public class A: NSManagedObject {\n}\n"
    let source = "extension A { override func willSave() {}; @objc var initial: Int { 0 } }"
    let texts = try rewritten([source], generated: [generated])
    #expect(texts[0].contains("extension A { func __A_willSave() {}; var initial: Int { 0 } }"))
    let extended = SourceRewriter.extend(
      SourceText(path: "Model.swift", text: generated),
      by: [
        SourceText(path: "S1.swift", text: source), SourceText(path: "Bad.swift", text: "class"),
      ])
    #expect(
      extended == """
        @ManagedObject @ReadableByKey public class A: NSManagedObject {

        #sourceLocation(file: "S1.swift", line: 1)
        override func willSave() { return __A_willSave() }
        private func __readableInExtensions(forKey key: Swift.String, else rest: () -> Any?) -> Any? {
        switch key {
        case "initial": return self.initial
        default: return rest()
        }
        }
        #sourceLocation()
        }

        """)
    #expect(SourceRewriter.extend(SourceText(path: "Model.swift", text: generated), by: []) == nil)
  }

  @Test("a generated class whose superclass another source declares gets the members, too")
  func generatedSubclasses() throws {
    let generated = "@ManagedObject public class Child: Parent {\n}\n"
    let source = "extension Child { override func willSave() {} }"
    let context = ["open class Parent: Root {}", "open class Root { @Managed var name: String? }"]
    let texts = try rewritten([source], generated: [generated], context: context)
    #expect(texts[0].contains("extension Child { func __Child_willSave() {} }"))
    let extended = SourceRewriter.extend(
      SourceText(path: "Model.swift", text: generated), by: self.texts([source], "S"),
      context: self.texts(context, "C"))
    #expect(
      extended?.contains("override func willSave() { return __Child_willSave() }\n") == true)
  }

  @Test("an extension of another target's class is rejected at the member; properties are allowed")
  func otherTargets() {
    let found = problems(
      [
        """
        extension A {
          @objc var initial: Int { 0 }
          override func willSave() {}
          func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        }
        """
      ], context: ["public class A: NSManagedObject {}"])
    let reason =
      "the class 'A' is not declared in a source of this target that is rewritten, so this member of an "
      + "extension is never called; move it into the class"
    #expect(found == ["S1.swift:3:3: error: \(reason)", "S1.swift:4:3: error: \(reason)"])
  }

  @Test("members that the class cannot use or call are rejected at their line")
  func refusals() {
    let type = "class A: NSManagedObject {}"
    #expect(
      problems([type, "extension A {\n@objc private var initial: Int { 0 } }"]) == [
        "S2.swift:2:1: error: the class 'A' is in another file and cannot use this private member; "
          + "make the member internal"
      ])
    #expect(problems(["\(type)\nextension A {\n@objc private var initial: Int { 0 } }"]) == [])
    #expect(
      problems(["\(type)\nextension A { override func f(_ all: Int...) {} }"]) == [
        "S1.swift:2:15: error: this override cannot be declared in an extension; move it into the class 'A'"
      ])
    #expect(
      problems(["\(type)\nextension A { override subscript(i: Int) -> Int { 0 } }"]).count == 1)
    #expect(
      problems([
        type,
        "private extension A { func validateB(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>) {} }",
      ]).count == 1)
  }
}
