/// The forum index as sent: numbers and texts are mixed, empty lists may be empty texts.
struct IndexAnswer: Decodable {
  struct Entry: Decodable {
    let id: LooseValue?
    let title: LooseValue?
    let hasThreads: LooseValue?
    let subforums: LooseList<Entry>?
    let moderators: LooseList<Moderator>?

    private enum CodingKeys: String, CodingKey {
      case id, title, moderators
      case hasThreads = "has_threads"
      case subforums = "sub_forums"
    }
  }

  struct Moderator: Decodable {
    let userid: LooseValue?
    let username: LooseValue?
  }

  let forums: LooseList<Entry>?
  let user: LooseFields?
  let stats: [String: LooseValue]?

  private enum CodingKeys: String, CodingKey { case forums, user, stats }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    forums = try fields.decodeIfPresent(LooseList<Entry>.self, forKey: .forums)
    user = try fields.decodeIfPresent(LooseFields.self, forKey: .user)
    stats = try fields.decodeIfPresent(LooseFields.self, forKey: .stats)?.values
  }
}

/// A value that may be sent as text, number or flag.
struct LooseValue: Decodable {
  let text: String

  var number: Int? { Int(text) ?? Double(text).flatMap { Int(exactly: $0.rounded()) } }
  var isTrue: Bool { text == "true" || (number ?? 0) != 0 }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // Each attempt may fail by design: the first type that fits is taken, anything else counts as
    // empty.
    if let flag = try? value.decode(Bool.self) {
      text = flag ? "true" : "false"
    } else if let number = try? value.decode(Int.self) {
      text = String(number)
    } else if let number = try? value.decode(Double.self) {
      text = String(number)
    } else {
      text = (try? value.decode(String.self)) ?? ""
    }
  }
}

/// A list that may be sent as an empty text, as null, or as an object with numbers for keys.
struct LooseList<Element: Decodable>: Decodable {
  let values: [Element]

  init(from decoder: any Decoder) throws {
    if let list = try? decoder.unkeyedContainer() {
      var list = list
      var values: [Element] = []
      while !list.isAtEnd { values.append(try list.decode(Element.self)) }
      self.values = values
    } else if let fields = try? decoder.container(keyedBy: LooseKey.self) {
      let keys = fields.allKeys.sorted {
        (Int($0.stringValue) ?? .max, $0.stringValue) < (
          Int($1.stringValue) ?? .max, $1.stringValue
        )
      }
      values = try keys.map { try fields.decode(Element.self, forKey: $0) }
    } else {
      values = []
    }
  }
}

/// An object of loose values; anything else counts as an empty one.
struct LooseFields: Decodable {
  let values: [String: LooseValue]

  init(from decoder: any Decoder) throws {
    guard let fields = try? decoder.container(keyedBy: LooseKey.self) else {
      values = [:]
      return
    }
    var values: [String: LooseValue] = [:]
    for key in fields.allKeys {
      values[key.stringValue] = try fields.decode(LooseValue.self, forKey: key)
    }
    self.values = values
  }
}

/// Any key.
struct LooseKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init?(stringValue: String) {
    self.stringValue = stringValue
    intValue = Int(stringValue)
  }

  init?(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
