/// Writes the user info of a model document.
enum UserInfoWriter {
  static func write(
    _ userInfo: [AnyHashable: Any]?, entityName: String?, propertyName: String? = nil,
    to document: inout DocumentText
  ) throws(ModelError) {
    guard let userInfo, !userInfo.isEmpty else { return }
    var entries: [(key: String, value: String)] = []
    for (key, value) in userInfo {
      guard let key = key as? String, let value = value as? String else {
        throw ModelError(
          .unarchivable,
          "The user info in model documents can contain only strings. Remove the other keys and values.",
          entityName: entityName, propertyName: propertyName)
      }
      entries.append((key: key, value: value))
    }
    document.element("userInfo") { document in
      for entry in entries.sorted(by: { $0.key < $1.key }) {
        document.element("entry", [("key", entry.key), ("value", entry.value)])
      }
    }
  }
}
