import OpenSourceRewriter
import Testing

/// Code that needs the Objective-C runtime, and the messages if there is no replacement.
@Suite struct RemedyTests {
  @Test(
    "imports of submodules and of the Objective-C runtime are replaced with existing modules",
    arguments: [
      ("import CoreData.CoreDataDefines", "import CoreData"),
      (
        "@preconcurrency import CoreData.NSFetchRequest // a",
        "@preconcurrency import CoreData // a"
      ),
      ("import Foundation.NSDate", "import Foundation"),
      ("import ObjectiveC.runtime", "import OpenObjectiveCNames"),
      ("import class CoreData.NSManagedObject", "import class CoreData.NSManagedObject"),
      ("import UIKit.UIView", "import UIKit.UIView"),
    ])
  func imports(_ source: String, _ expected: String) throws {
    #expect(try rewritten(source) == expected)
  }

  @Test(
    "a file that uses names of Objective-C without CoreData gets the import before its first line")
  func runtimeNames() throws {
    let source = "import Foundation\nautoreleasepool { f() }"
    let directive = "#sourceLocation(file: \"A.swift\", line: 1)\n"
    let text = try SourceRewriter.rewrite([SourceText(path: "A.swift", text: source)])
    #expect(text == ["import OpenObjectiveCNames\n" + directive + source])
    #expect(try rewritten("import CoreData\n" + source) == "import CoreData\n" + source)
  }

  @Test("a file whose class becomes readable by key gets the import of the attribute")
  func readableClass() throws {
    let source = "public class B: NSObject { @objc dynamic var a = 1 }"
    let text = try SourceRewriter.rewrite([SourceText(path: "A.swift", text: source)])
    #expect(
      text == [
        "import CoreData\n#sourceLocation(file: \"A.swift\", line: 1)\n"
          + "@ReadableByKey public class B: NSObject { var a = 1 }"
      ])
  }

  @Test(
    "a file that gets an attribute of this package without importing CoreData gets the import",
    arguments: [
      "class A: B { @NSManaged var a: Int }", "extension A { @NSManaged func addToXs(_ x: X) }",
      "@objc(A) class A: NSManagedObject {}", "class A: NSManagedObject {}",
      "import class CoreData.NSManagedObject\nclass A: NSManagedObject {}",
    ])
  func macros(_ source: String) throws {
    let text = try SourceRewriter.rewrite([SourceText(path: "A.swift", text: source)])[0]
    #expect(text.hasPrefix("import CoreData\n#sourceLocation(file: \"A.swift\", line: 1)\n"))
    let imported = "import CoreData.NSManagedObject\n"
    let other = try SourceRewriter.rewrite([
      SourceText(path: "A.swift", text: imported + source)
    ])[0]
    #expect(other.hasPrefix("#sourceLocation"))
  }

  @Test("code that requires a framework of Apple platforms is not rejected")
  func absentFrameworks() throws {
    for module in ["MapKit", "CoreLocation", "StoreKit", "PhotosUI", "UserNotifications"] {
      let source = "#if canImport(\(module))\nlet k = #keyPath(a[0])\n#endif"
      #expect(try rewritten(source) == source)
      #expect(try failure("#if !canImport(\(module))\nlet k = #keyPath(a[0])\n#endif")?.line == 2)
    }
  }

  @Test(
    "the selector of a sort descriptor becomes its name",
    arguments: ["localizedCaseInsensitiveCompare(_:)", "localizedStandardCompare", "compare(_:)"])
  func sortDescriptors(_ method: String) throws {
    let name = method.prefix { $0 != "(" }
    #expect(
      try rewritten(
        "let s = NSSortDescriptor(key: \"a\", ascending: true, selector: #selector(NSString.\(method)))"
      )
        == "let s = NSSortDescriptor(key: \"a\", ascending: true, selectorName: \"\(name):\")")
  }

  @Test("an initializer that is required in this library is rejected if it cannot be required")
  func requiredInitializers() throws {
    let managed = "class A: NSManagedObject {}\n"
    let inExtension = try failure(
      managed + "extension A { convenience init(context: NSManagedObjectContext) {} }")
    #expect(inExtension?.line == 2)
    #expect(inExtension?.message.hasSuffix("move it into the class 'A'") == true)
    let failable = try failure(
      "class A: NSManagedObject {\nconvenience init?(context: NSManagedObjectContext) {}\n}")
    #expect(failable?.line == 2)
    #expect(failable?.message.contains("cannot return nil") == true)
    for source in [
      "class B {}\nextension B { convenience init(context: NSManagedObjectContext) {} }",
      "class B { init?(context: NSManagedObjectContext) { nil } }",
    ] {
      #expect(try rewritten(source) == source)
    }
    let inactive =
      "#if canImport(UIKit)\nextension A { init(context: NSManagedObjectContext) {} }\n#endif"
    #expect(try rewritten(managed + inactive) == "@ManagedObject " + managed + inactive)
  }

  @Test("the selector of an observer is rejected at its line, with the call that replaces it")
  func observers() throws {
    let call = """
      let center = NotificationCenter.default
      center.addObserver(
        self, selector: #selector(contextDidSave(_:)),
        name: .NSManagedObjectContextDidSave, object: context)
      """
    let problem = try failure(call)
    #expect(problem?.line == 3)
    #expect(
      problem?.message
        == "'#selector' requires the Objective-C runtime; use 'center.addObserver(forName: "
        + ".NSManagedObjectContextDidSave, object: context, queue: nil) { [weak self] notification in "
        + "self?.contextDidSave(notification) }' and keep the returned token")
    let methods = [
      ("Self.saved(note:)", "self?.saved(note: notification)"),
      ("saved", "self?.saved(notification)"),
    ]
    for (method, expected) in methods {
      let text = try failure(
        "c.addObserver(self, selector: #selector(\(method)), name: n, object: nil)")?.message
      #expect(text?.contains(expected) == true)
    }
  }

  @Test("other selectors are rejected, except in code that is not compiled on Linux")
  func otherSelectors() throws {
    #expect(try failure("f(#selector(getter: Book.title))")?.message.contains("\"title\"") == true)
    #expect(try failure("f(#selector(a))")?.message.hasSuffix("pass a closure instead") == true)
    for condition in ["canImport(UIKit)", "os(iOS) || os(macOS)", "!os(Linux) && X", "X"] {
      let source = "#if \(condition)\nf(#selector(a))\n#endif"
      #expect(try rewritten(source) == source)
    }
    #expect(try failure("#if canImport(UIKit)\n#else\nf(#selector(a))\n#endif")?.line == 3)
    #expect(try failure("#if os(Linux)\nf(#selector(a))\n#endif")?.line == 2)
  }

  @Test(
    "patterns that test the result type are rejected",
    arguments: [
      "if case let r as NSFetchRequest<T> = x {}", "switch x { case is NSFetchRequest<T>: f() }",
      "switch x { case let c as NSFetchedResultsController<T>: f() }",
    ])
  func patterns(_ source: String) throws {
    #expect(try failure("\n" + source)?.line == 2)
  }

  @Test(
    "names of other targets are resolved if they are unambiguous",
    arguments: [
      ("#keyPath(Other.name)", "\"name\""), ("#keyPath(Other.owner.URL)", "\"owner.URL\""),
      ("#keyPath(Other.URL)", "\"URL\""), ("#keyPath(App.Other.owner.name)", "\"owner.name\""),
      ("#keyPath(app.Other.name)", "\"name\""), ("#keyPath(app.Other.URL)", "\"URL\""),
    ])
  func otherTargets(_ source: String, _ expected: String) throws {
    let text = try SourceRewriter.rewrite(
      [SourceText(path: "A.swift", text: source)], modules: ["App", "app"])
    #expect(text[0].hasSuffix("\n" + expected))
  }

  @Test(
    "a name of another target that can be a type or a property is rejected",
    arguments: ["Other.URL.path", "App.Outer.Inner.name"])
  func ambiguousKeyPaths(_ path: String) throws {
    let problem = try failure("\nlet k = #keyPath(\(path))", modules: ["App"])
    #expect(problem?.line == 2)
    #expect(problem?.message.contains("is a type or a property, because") == true)
  }

  @Test("lines end with carriage returns too", arguments: ["\r", "\r\n", "\n"])
  func lineEnds(_ end: String) throws {
    let source = ["let a = 1", "let b = 2", "f(#selector(a))"].joined(separator: end)
    let problem = try failure(source)
    #expect(problem?.line == 3)
    #expect(problem?.column == 3)
  }
}
