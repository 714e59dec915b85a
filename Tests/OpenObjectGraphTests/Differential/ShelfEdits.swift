import Foundation
import OpenCoreData

/// One side of a differential run: a context that makes the same edits as all other sides.
struct ShelfSide {
  let name: String
  let context: NSManagedObjectContext

  func books() throws -> [ShelfBook] {
    try context.fetch(NSFetchRequest<ShelfBook>(entityName: "ShelfBook"))
      .sorted { $0.code < $1.code }
  }

  func authors() throws -> [ShelfAuthor] {
    try context.fetch(NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor"))
      .sorted { $0.code < $1.code }
  }
}

/// A random edit, chosen once and applied on every side.
enum ShelfEdit {
  case insertAuthor(code: Int32, name: String?)
  case insertBook(code: Int32, isNovel: Bool, title: String?, author: Int)
  case change(book: Int, property: Int, number: Int, text: String?)
  case move(book: Int, author: Int)
  case rename(author: Int, name: String?)
  case deleteBook(Int)
  case deleteAuthor(Int)
  case save
  case rollback

  static let texts: [String?] = [
    nil, "", "alpha", "Alpha", "ALPHABET", "Ünder", "under", "naïve", "Straße", "日本", "a%b_c*?",
    "zeta",
    "beta gamma", "Ölçü", "αβγ", "ΑΒΓ",
  ]

  static func random(_ numbers: inout SeededNumbers, code: Int32) -> ShelfEdit {
    let text = numbers.pick(texts)
    switch numbers.below(20) {
    case 0, 1: return .insertAuthor(code: code, name: text)
    case 2...6:
      return .insertBook(
        code: code, isNovel: numbers.below(3) == 0, title: text, author: numbers.below(50))
    case 7...11:
      return .change(
        book: numbers.below(1000), property: numbers.below(6), number: numbers.below(20) - 5,
        text: text)
    case 12, 13: return .move(book: numbers.below(1000), author: numbers.below(50))
    case 14: return .rename(author: numbers.below(50), name: text)
    case 15: return .deleteBook(numbers.below(1000))
    case 16: return numbers.below(4) == 0 ? .deleteAuthor(numbers.below(50)) : .save
    case 17: return numbers.below(3) == 0 ? .rollback : .save
    default: return .save
    }
  }

  func apply(to side: ShelfSide) throws {
    let context = side.context
    switch self {
    case .insertAuthor(let code, let name):
      let author = ShelfAuthor(context: context)
      author.code = code
      author.name = name
    case .insertBook(let code, let isNovel, let title, let author):
      let book = isNovel ? ShelfNovel(context: context) : ShelfBook(context: context)
      book.code = code
      book.title = title
      book.author = try pick(side.authors(), author)
    case .change(let book, let property, let number, let text):
      guard let book = try pick(side.books(), book) else { return }
      Self.change(book, property, number, text)
    case .move(let book, let author):
      try pick(side.books(), book)?.author = try pick(side.authors(), author)
    case .rename(let author, let name): try pick(side.authors(), author)?.name = name
    case .deleteBook(let book): try pick(side.books(), book).map { context.delete($0) }
    case .deleteAuthor(let author): try pick(side.authors(), author).map { context.delete($0) }
    case .save: try context.save()
    case .rollback: context.rollback()
    }
  }

  /// Returns the chosen element, or nil every eighth time.
  private func pick<Element>(_ elements: [Element], _ choice: Int) -> Element? {
    elements.isEmpty || choice % 8 == 7 ? nil : elements[choice % elements.count]
  }

  private static func change(_ book: ShelfBook, _ property: Int, _ number: Int, _ text: String?) {
    switch property {
    case 0: book.title = text
    case 1: book.pages = Int64(number)
    case 2: book.price = Double(number) / 4
    case 3:
      book.printed =
        number < 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.5)
    case 4: book.isNew = number > 5
    default: (book as? ShelfNovel)?.genre = text
    }
  }
}
