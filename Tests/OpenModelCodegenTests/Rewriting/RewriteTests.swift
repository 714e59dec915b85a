import OpenSourceRewriter
import Testing

/// What changes in a source, by example.
@Suite struct RewriteTests {
  @Test(
    "attributes and modifiers of Objective-C are replaced or removed",
    arguments: [
      (
        "@objc(Thread) class T: NSManagedObject {}",
        "@ManagedObject(\"Thread\") class T: NSManagedObject {}"
      ),
      (
        "@objc(A) public class A: CoreData.NSManagedObject {}",
        "@ManagedObject(\"A\") public class A: CoreData.NSManagedObject {}"
      ),
      ("@objc class A: NSManagedObject {}", "@ManagedObject class A: NSManagedObject {}"),
      (
        "class A: NSManagedObject { override init(entity: E, insertInto c: C?) {} }",
        "@ManagedObject class A: NSManagedObject { required init(entity: E, insertInto c: C?) {} }"
      ),
      (
        "class B { override init(entity: E, insertInto c: C?) {} }",
        "class B { override init(entity: E, insertInto c: C?) {} }"
      ),
      (
        "class A: NSManagedObject { public convenience init(context c: NSManagedObjectContext) {} }",
        "@ManagedObject class A: NSManagedObject { public convenience required init(context c: NSManagedObjectContext) {} }"
      ),
      (
        "class A: NSManagedObject { override init(context c: CoreData.NSManagedObjectContext) {} }",
        "@ManagedObject class A: NSManagedObject { required init(context c: CoreData.NSManagedObjectContext) {} }"
      ),
      (
        "class A: NSManagedObject { required init(context c: NSManagedObjectContext) {} }",
        "@ManagedObject class A: NSManagedObject { required init(context c: NSManagedObjectContext) {} }"
      ),
      (
        "class A: NSManagedObject { convenience init(context c: C) {} }",
        "@ManagedObject class A: NSManagedObject { convenience init(context c: C) {} }"
      ),
      (
        "class B { init(context c: NSManagedObjectContext) {} }",
        "class B { init(context c: NSManagedObjectContext) {} }"
      ),
      ("@objc(B) class B: NSObject {}", "class B: NSObject {}"),
      (
        "@objc(A) class A: NSManagedObject { @objc var b: Int { 1 } }",
        "@ManagedObject(\"A\") @ReadableByKey class A: NSManagedObject { var b: Int { 1 } }"
      ),
      (
        "public class A: NSManagedObject {\n#if DEBUG\n@objc var b: Int { 1 }\n#endif\n}",
        "@ReadableByKey @ManagedObject public class A: NSManagedObject {\n#if DEBUG\nvar b: Int { 1 }\n#endif\n}"
      ),
      (
        "@objcMembers class A: NSManagedObject { static var a = 1; @nonobjc var b: Int { 1 } }",
        "@ManagedObject class A: NSManagedObject { static var a = 1; var b: Int { 1 } }"
      ),
      ("@objcMembers class B {}", "class B {}"),
      ("class B { @objc dynamic var a = 1 }", "class B { var a = 1 }"),
      ("class B { @nonobjc func a() {} }", "class B { func a() {} }"),
      ("class B { @IBInspectable @objc(x) var a = 1 }", "class B { var a = 1 }"),
      ("@objc enum E: Int { case a }", "enum E: Int { case a }"),
      ("extension A {\n  @objc\n  dynamic func a() {}\n}", "extension A {\n  \n  func a() {}\n}"),
      ("class A { @NSManaged var a: Int }", "class A { @Managed var a: Int }"),
      (
        "extension A { @NSManaged func addToXs(_ x: X) }",
        "extension A { @ManagedAccessor func addToXs(_ x: X) }"
      ),
      (
        "class A { @NSManaged public private(set) var a: Int; @NSManaged var b: X! }",
        "class A { @Managed public private(set) var a: Int; @Managed var b: X! }"
      ),
      (
        "class A { @NSManaged fileprivate var primitiveA: NSNumber? }",
        "class A { @Managed fileprivate var primitiveA: NSNumber? }"
      ),
      ("class A { @CoreData.NSManaged var a: Int }", "class A { @Managed var a: Int }"),
      ("@objc protocol P {}", "protocol P: AnyObject {}"),
      ("@objc public protocol P: NSCopying {}", "public protocol P: AnyObject, NSCopying {}"),
      ("@objc protocol P: NSObjectProtocol {}", "protocol P: NSObjectProtocol {}"),
      (
        "#if canImport(ObjectiveC)\n@objc\n#endif\nprotocol P {}",
        "#if canImport(ObjectiveC)\n\n#endif\nprotocol P {}"
      ),
      (
        "@objc(LBShade) final class Shade: NSObject, NSSecureCoding {\n}",
        "final class Shade: NSObject, NSSecureCoding { private final class __ManagedClassName_LBShade {};\n}"
      ),
      ("@objc(LBShade) class Shade {}", "class Shade {}"),
      (
        "class A {\n#if os(iOS)\n@objc\n#endif\nfunc a() {} }",
        "class A {\n#if os(iOS)\n\n#endif\nfunc a() {} }"
      ),
    ])
  func attributes(_ source: String, _ expected: String) throws {
    #expect(try rewritten(source) == expected)
  }

  @Test(
    "a required initializer is accessible wherever its class can be subclassed",
    arguments: [
      ("public class A", "private override init", "required init"),
      ("class A", "override fileprivate init", "required init"),
      ("private class A", "private override init", "required init"),
      ("class A", "internal override init", "internal required init"),
      ("open class A", "override init", "public required init"),
      ("open class A", "private override init", "public required init"),
      ("open class A", "public override init", "public required init"),
    ])
  func accessOfInitializers(
    _ type: String, _ declared: String, _ expected: String
  ) throws {
    #expect(
      try rewritten("\(type): NSManagedObject { \(declared)(entity: E, insertInto c: C?) {} }")
        == "@ManagedObject \(type): NSManagedObject { \(expected)(entity: E, insertInto c: C?) {} }"
    )
  }

  @Test(
    "an unmanaged class is readable by key if Objective-C would find its properties",
    arguments: [
      (
        "import CoreData\n@objcMembers class B: NSObject { var a = 1 }",
        "import CoreData\n@ReadableByKey class B: NSObject { var a = 1 }"
      ),
      (
        "@MainActor class B: NSObject { @objc var a = 1 }",
        "@MainActor class B: NSObject { var a = 1 }"
      ),
      (
        "func f() { class B: NSObject { @objc var a = 1 } }",
        "func f() { class B: NSObject { var a = 1 } }"
      ),
      ("class B: NSObject { @objc static var a = 1 }", "class B: NSObject { static var a = 1 }"),
    ])
  func plainClasses(_ source: String, _ expected: String) throws {
    #expect(try rewritten(source) == expected)
  }

  @Test("several properties of one declaration get one each, on their lines")
  func severalProperties() throws {
    #expect(
      try rewritten("class A { @NSManaged public dynamic var a, b: Int, c: String? }")
        == "class A { @Managed public var a: Int; @Managed public var b: Int; @Managed public var c: String? }"
    )
    #expect(
      try rewritten("class A { @NSManaged var a: Int,\n    b: X }")
        == "class A { @Managed var a: Int; @Managed var\n    b: X }")
  }

  @Test(
    "names for Objective-C become names in the model",
    arguments: [
      ("@objc(key) @NSManaged var name: String", " @Managed(\"key\") var name: String"),
      ("@objc(name) @NSManaged var name: String", " @Managed var name: String"),
      (
        "@objc(addXsObject:) @NSManaged func addToXs(_ x: X)",
        " @ManagedAccessor func addToXs(_ x: X)"
      ),
      (
        "@objc(addYsObject:) @NSManaged func addToXs(_ x: X)",
        " @ManagedAccessor(\"ys\") func addToXs(_ x: X)"
      ),
      (
        "@objc(addURLs:) @NSManaged func addToURLs(_ x: NSSet)",
        " @ManagedAccessor(\"URLs\") func addToURLs(_ x: NSSet)"
      ),
      (
        "@objc(insertObject:inYsAtIndex:) @NSManaged func insertIntoXs(_ x: X, at i: Int)",
        " @ManagedAccessor(\"ys\") func insertIntoXs(_ x: X, at i: Int)"
      ),
      (
        "@objc(addLostObject:) @NSManaged func addToLostObject(_ x: NSSet)",
        " @ManagedAccessor func addToLostObject(_ x: NSSet)"
      ),
      (
        "@objc(addLostObject:) @NSManaged func addToXs(_ x: NSSet); @NSManaged var lostObject: NSSet?",
        " @ManagedAccessor(\"lostObject\") func addToXs(_ x: NSSet); @Managed var lostObject: NSSet?"
      ),
      (
        "@objc(replaceYsAtIndexes:withYs:) @NSManaged func replaceXs(at i: NSIndexSet, with x: [X])",
        " @ManagedAccessor func replaceXs(at i: NSIndexSet, with x: [X])"
      ),
    ])
  func modelNames(_ source: String, _ expected: String) throws {
    #expect(try rewritten("class A {\(source)}") == "class A {\(expected.dropFirst())}")
  }

  @Test(
    "key paths become texts without the type",
    arguments: [
      ("#keyPath(Book.title)", "\"title\""), ("#keyPath(Book.shelf.name)", "\"shelf.name\""),
      ("#keyPath(title)", "\"title\""), ("#keyPath(shelf.name)", "\"shelf.name\""),
      ("#keyPath(App.Book.title)", "\"title\""), ("#keyPath(Book.`class`)", "\"class\""),
      ("#keyPath(Known.URL.path)", "\"URL.path\""), ("#keyPath(self.title)", "\"title\""),
      ("#keyPath(Known.Inner.name)", "\"name\""), ("#keyPath(Book.URL)", "\"URL\""),
      ("f(#keyPath(\n  Book.title\n))", "f(\"title\"\n\n)"),
      ("\"\\(#keyPath(Book.title)) == 1\"", "\"\\(\"title\") == 1\""),
    ])
  func keyPaths(_ source: String, _ expected: String) throws {
    let classes = "class Known: NSManagedObject { class Inner {} };let x = "
    #expect(
      try rewritten(classes + source, modules: ["App"]) == "@ManagedObject \(classes)\(expected)")
  }

  @Test(
    "casts that need the Objective-C runtime are replaced",
    arguments: [
      (
        "let r = T.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>",
        "let r = NSFetchRequest<NSFetchRequestResult>.__recast(T.fetchRequest())!"
      ),
      (
        "x = r as? NSFetchRequest<any NSFetchRequestResult>",
        "x = NSFetchRequest<any NSFetchRequestResult>.__recast(r)"
      ),
      ("f(try r() as! NSFetchRequest<T>)", "f(try NSFetchRequest<T>.__recast(r())!)"),
      ("f(r\n  as! NSFetchRequest<T>)", "f(NSFetchRequest<T>.__recast(r)!\n)"),
      (
        "let r = fetchRequest() as! NSFetchRequest<Self>",
        "let r = NSFetchRequest<Self>.__recast(fetchRequest())!"
      ),
      (
        "let r = T.fetchRequest() as NSFetchRequest<T>",
        "let r = T.fetchRequest() as NSFetchRequest<T>"
      ),
      ("f(#keyPath(A.b) as! NSFetchRequest<T>)", "f(NSFetchRequest<T>.__recast(\"b\")!)"),
      ("let s = x as! Set<T>", "let s = x as! Set<T>"),
      (
        "let r = a as! NSFetchRequest<T> as? NSFetchRequest<U>",
        "let r = NSFetchRequest<U>.__recast(NSFetchRequest<T>.__recast(a)!)"
      ),
      (
        "let r = try a() as Any as! CoreData.NSFetchRequest<T>",
        "let r = try CoreData.NSFetchRequest<T>.__recast(a() as Any)!"
      ),
      (
        "x = y ?? r as? NSFetchRequest<T>?", "x = y ?? NSFetchRequest<T>.__recast(r)"
      ),
      (
        "let c = frc as! NSFetchedResultsController<NSFetchRequestResult>",
        "let c = NSFetchedResultsController<NSFetchRequestResult>.__recast(frc)!"
      ),
      (
        "let s = shelf.mutableSetValue(forKey: \"books\") as! Set<Book>",
        "let s = Set<Book>.__recast(shelf.mutableSetValue(forKey: \"books\"))!"
      ),
      (
        "for b in mutableSetValue(forKey: key) as? Set<Book> ?? [] {}",
        "for b in Set<Book>.__recast(mutableSetValue(forKey: key)) ?? [] {}"
      ),
      ("let s = shelf.books as! Set<Book>", "let s = shelf.books as! Set<Book>"),
      (
        "if r is NSFetchRequest<T> {}", "if (NSFetchRequest<T>.__recast(r) != nil) {}"
      ),
    ])
  func casts(_ source: String, _ expected: String) throws {
    #expect(try rewritten(source) == expected)
  }
}
