import Foundation
import OpenObjectGraph
import OpenObjectModel

/// Two versions of a small library, and the contents of stores of the first version.
enum Library {
  /// Authors with ordered books, which have tags.
  static func old() -> NSManagedObjectModel {
    Models.make { models in
      let author = models.entity("Author").attribute("name").attribute("notes")
      let book = models.entity("Book").attribute("title", isOptional: false)
        .attribute("pages", .integer32)
      let tag = models.entity("Tag").attribute("word")
      models.link(author, "books", book, "author", isToMany: true, isOrdered: true)
      models.link(book, "tags", tag, "books", isToMany: true, isBackToMany: true)
      models.link(book, "sequel", book, "prequel")
    }
  }

  /// Persons with works, which have labels; a work has a price.
  static func new() -> NSManagedObjectModel {
    Models.make { models in
      let author = models.entity("Person", renaming: "Author").attribute("name")
      let book = models.entity("Work", renaming: "Book")
        .attribute("heading", isOptional: false, renaming: "title").attribute("pages", .integer32)
        .attribute("price", .double, isOptional: false, default: 1.5)
      let tag = models.entity("Tag").attribute("word")
      models.link(
        author, "works", book, "writer", isToMany: true, isOrdered: true,
        renaming: "books", back: "author")
      models.link(
        book, "labels", tag, "books", isToMany: true, isBackToMany: true, renaming: "tags")
      models.link(book, "sequel", book, "prequel")
    }
  }

  static func fill(_ context: NSManagedObjectContext) {
    let authors = ["Anna", "Bert"].map { context.insert("Author", ["name": $0, "notes": "n"]) }
    let tags = ["blue", "green", "red"].map { context.insert("Tag", ["word": $0]) }
    let books = (0..<6).map { index in
      context.insert(
        "Book", ["title": "B\(index)", "pages": index == 2 ? nil : 100 + index])
    }
    authors[0].setValue(
      NSOrderedSet(array: [books[3], books[0], books[5]]), forKey: "books")
    authors[1].setValue(NSOrderedSet(array: [books[4], books[1]]), forKey: "books")
    books[0].setValue(NSSet(array: [tags[0], tags[2]]), forKey: "tags")
    books[1].setValue(NSSet(array: tags), forKey: "tags")
    books[0].setValue(books[1], forKey: "sequel")
    books[1].setValue(books[4], forKey: "sequel")
  }

  /// Returns the contents of a store of the new model as lines.
  static func contents(_ context: NSManagedObjectContext) throws -> [String] {
    let works = try context.all("Work", by: "heading").map { work in
      let pages = (work.value(forKey: "pages") as? NSNumber).map { "\($0)" } ?? "nil"
      let price = (work.value(forKey: "price") as? NSNumber).map { "\($0)" } ?? "nil"
      return
        "\(work.value(forKey: "heading") as? String ?? "nil") \(pages) \(price) "
        + "\(work.texts("writer", "name")) \(work.texts("labels", "word")) "
        + "\(work.texts("sequel", "heading")) \(work.texts("prequel", "heading"))"
    }
    let persons = try context.all("Person", by: "name").map { person in
      "\(person.value(forKey: "name") as? String ?? "nil") \(person.texts("works", "heading"))"
    }
    let tags = try context.all("Tag", by: "word").map { tag in
      "\(tag.value(forKey: "word") as? String ?? "nil") \(tag.texts("books", "heading"))"
    }
    return works + persons + tags
  }

  /// What becomes of the filled old store.
  static let expected = [
    #"B0 100 1.5 ["Anna"] ["blue", "red"] ["B1"] []"#,
    #"B1 101 1.5 ["Bert"] ["blue", "green", "red"] ["B4"] ["B0"]"#,
    #"B2 nil 1.5 [] [] [] []"#,
    #"B3 103 1.5 ["Anna"] [] [] []"#,
    #"B4 104 1.5 ["Bert"] [] [] ["B1"]"#,
    #"B5 105 1.5 ["Anna"] [] [] []"#,
    #"Anna ["B3", "B0", "B5"]"#,
    #"Bert ["B4", "B1"]"#,
    #"blue ["B0", "B1"]"#,
    #"green ["B1"]"#,
    #"red ["B0", "B1"]"#,
  ]
}

extension Models {
  /// Adds a relationship and its inverse.
  func link(
    _ one: NSEntityDescription, _ name: String, _ other: NSEntityDescription, _ backName: String,
    isToMany: Bool = false, isOrdered: Bool = false, isBackToMany: Bool = false,
    renaming: String? = nil, back: String? = nil
  ) {
    one.relationship(
      name, to: other, isToMany: isToMany, isOrdered: isOrdered, renaming: renaming)
    other.relationship(backName, to: one, isToMany: isBackToMany, renaming: back)
    let forward = one.relationshipsByName[name]
    let backward = other.relationshipsByName[backName]
    forward?.inverseRelationship = backward
    backward?.inverseRelationship = forward
  }
}
