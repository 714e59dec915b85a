/// The forum index as sent, which mixes numbers and strings and may send empty lists as empty strings.
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

/// A value that the site may send as a string, number or Boolean.
struct LooseValue: Decodable {
  let text: String

  var number: Int? { Int(text) ?? Double(text).flatMap { Int(exactly: $0.rounded()) } }
  var isTrue: Bool { text == "true" || (number ?? 0) != 0 }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // Failed attempts are expected: the first matching type is used, and any other type counts as empty.
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

/// A list that the site may send as an empty string, as null, or as an object with numeric keys.
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

/// An object of loose values; any other value counts as an empty object.
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

/// A key with any name.
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
