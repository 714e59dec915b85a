import Foundation

/// The twelve rows that the formats of the grammar tables select from.
///
/// The first row is `GrammarRow.sample` as far as the model has its keys, so that the results of
/// the tables apply
/// to it. Later rows have other numbers, texts of several scripts, nils and empty collections.
enum GrammarData {
  static let rowCount = 12

  /// Values of the attributes by key, one for each row.
  static let columns: [String: [(any Sendable)?]] = [
    "row": Array(1...12),
    "a": [1, 2, 3, nil, 0, -1, 1, 5, nil, 4, 2, 1],
    "b": [2, 2, 1, nil, 3, 1, nil, 4, 4, -1, 2, 3],
    "c": [3, 1, 4, nil, -2, 3, 0, nil, 1, 4, 3, 4],
    "size": [4, nil, 0, 4, 5, nil, 1, 2, 3, 4, -4, 40],
    "größe": [7, 5, 6, nil, 0, 10, nil, 5, 7, 1, 2, 3],
    "n": [nil, 1, 9, 10, 0, 5, nil, 2, 1, 9, 8, 2],
    "x": [nil, 1, 2, 0, 5, nil, 1, 6, -3, 1, 3, 2],
    "X": [10, 10, 1, nil, 10, 0, nil, 10, 10, 2, 3, 10],
    "Y": [30, 3, 30, nil, 30, 30, 30, nil, 30, 30, 0, 30],
    "Z": [20, 20, 20, nil, 2, nil, 20, 20, 0, 1, 20, nil],
    "K": [4, 40, 40, 40, 40, nil, 4, 40, 40, nil, 40, 40],
    "number": [nil, 0, 1, 2, 3, 4, -2, -3, nil, 10, 7, 8],
    "flags": [nil, 4, 5, 3, 0, 12, -1, 8, 6, nil, 2, 1],
    "playCount": [nil, 0, 1, -1, 100, 2, nil, 0, 3, 1, 0, 5],
    "a1": [nil, 1, 2, nil, 3, nil, 4, 5, 6, 7, 8, nil],
    "stars": [3, nil, 5, 1, 2, 3, 4, 5, nil, 2, 1, 4],
    "f": [2.5, 2.0, 3.0, nil, 2.25, -1.5, 0.5, 1e300, nil, 40.0, 2.5, 1.0],
    "flag": [nil, true, false, true, false, nil, true, false, true, nil, false, true],
    "isDefault": [true, nil, false, true, true, false, nil, true, false, true, true, nil],
    "yes": [true, false, nil, true, false, true, true, true, true, true, nil, true],
    "s": [
      "Résumé", "resume", "RÉSUMÉ", nil, "", "Re\u{301}sume\u{301}", "it's", "%@", "inner",
      "日本語", "😀👨‍👩‍👧", "a\tb",
    ],
    "t": [
      "text", "TEXT", "téxt", nil, "", "t*t", "Text", "z", "two", "text ", "tesst", "te\nxt",
    ],
    "missing": [nil, "x", nil, "v", nil, "1", nil, nil, "", nil, "yx", nil],
    "name": [nil, "x", "X", "%@", "a", "Ä", "", "bx", "xylophone", nil, "name", "inner"],
    "text": [nil, "x", "X", "", "xx", nil, "x", "y", "z", "ẋ", "text", "x "],
    "user": [nil, "u", "U", "", "u", "u", nil, "u", "v", "ü", "uu", "u"],
    "thread": [nil, "x", "x", "x", "y", "x", nil, "x", "X", "x", "x", ""],
    "stringAttr": [nil, "9", "10", "11", "12", "9.0", "", "011", "x", "9", nil, "1"],
    "日本": ["東京", nil, "京都", "大阪", "", "Kyoto", "東", "京", nil, "東京都", "x", "y"],
    "in": [nil, "x", nil, "", "in", nil, "y", nil, "z", nil, nil, "w"],
    "first": [nil, "x", nil, nil, "f", "", nil, "g", nil, "h", "i", nil],
    "imageData": [
      nil, Data([1, 2, 3]), Data(), nil, Data([0]), nil, Data([255]), nil, nil, Data([1]), nil, nil,
    ],
    "when": dates([86_400, 0, 12_345, nil, 90_000, -5, 694_224_000, 86_400.5, 1, nil, 86_399, 2]),
    "lastUsedDate": dates([nil, 0, 1, nil, 2, nil, 3, 4, nil, nil, 5, 6]),
    "lastPlayedAt": dates([nil, nil, 1, nil, nil, 7, 3, nil, 9, 0, nil, 6]),
    "markedForDeletionAsOf": dates([nil, 0, 4.5, 5, 5.5, nil, -1, 4, 6, nil, 3, 100]),
    "list": [
      [1, 2, 3], [4], [Int](), nil, [2, 2], [6, 7, 1], [3], nil, [-1, 0], [1, 2], [5, 9],
      [1, 2, 3],
    ],
    "words": [
      ["one", "Two", "three"], ["one"], [String](), nil, ["TWO", "x"], ["text"], ["ONE"],
      ["a", "b", "c"], ["x"], nil, ["éa"], ["one", "two"],
    ],
    "empty": [[Int](), nil, [1], [Int](), nil, [2], [Int](), [Int](), [1, 2], [Int](), [0], nil],
    "collection": [
      nil, [1], [0, 1], [Int](), [1, 2, 3, 4, 5, 1], nil, [2], [1], nil, [7], [1], [3],
    ],
  ]

  /// The pages of each row: number, text, length, and the numbers of the notes.
  static let pages: [[(n: Int?, t: String?, length: Int?, notes: [Int])]] = [
    [(1, "x", nil, []), (2, "y", nil, []), (3, "z", nil, [])],
    [(2, "z", 3, [2])],
    [],
    [(nil, nil, nil, []), (5, "x", 9, [5, 6])],
    [(3, "q", 2, [3]), (3, "y", 1, [1]), (4, "zz", 0, [4])],
    [(0, "", 6, [])],
    [],
    [(2, "x", 2, [2]), (3, "z", 2, [3]), (4, "Z", 2, [4, 4])],
    [(1, "y", -5, [])],
    [(3, "z", 100, []), (nil, "x", 1, [1])],
    [(7, nil, 5, [7, 8, 9])],
    [(1, "x", 1, []), (2, "y", 2, []), (3, "z", 3, [])],
  ]

  /// What each row's `o` has: a number, a text, a list, and the number of a nested `o`; nil for no `o`.
  static let inners: [(a: Int?, s: String?, list: [Int]?, inner: Int?)?] = [
    (5, "inner", [7, 8], nil), (5, "INNER", [8], 5), nil, (1, nil, nil, nil),
    (nil, "x", [Int](), 5), (9, "inner", [7], nil), nil, (5, "spinner", [9, 10], 1),
    (0, "", [7, 8], nil), nil, (-5, "ínner", [1], 7), (2, "inner", [2, 7], nil),
  ]

  /// The texts of each row's `rel`.
  static let parts: [[String?]] = [
    [], ["v"], ["v", "w"], [nil], [], ["V"], ["w"], [], ["v", nil], ["x", "y"], [""], ["v"],
  ]

  /// The numbers of the rows that are each row's children.
  static let children = [[], [3, 4], [5, 6], [], [7, 8, 9], [], [10], [], [], [], [12], []]

  /// The row's author, forum and forum of metadata by number, 0 for none; whether it has an album.
  static let links: [(author: Int, forum: Int, metadata: Int, album: Bool)] = [
    (0, 0, 0, false), (9, 1, 1, true), (8, 2, 2, false), (9, 3, 3, false), (0, 1, 0, true),
    (9, 0, 2, false), (7, 2, 1, true), (8, 3, 3, false), (9, 1, 2, false), (0, 0, 1, false),
    (7, 2, 3, true), (8, 1, 1, false),
  ]

  private static func dates(_ seconds: [Double?]) -> [(any Sendable)?] {
    seconds.map { $0.map { Date(timeIntervalSinceReferenceDate: $0) } }
  }
}
