extension DocumentElement {
  /// The contents of the element's `<userInfo>`.
  var userInfo: [AnyHashable: Any] {
    var userInfo: [AnyHashable: Any] = [:]
    for entry in children("userInfo").flatMap({ $0.children("entry") }) {
      if let key = entry["key"] { userInfo[key] = entry["value"] ?? "" }
    }
    return userInfo
  }

  /// Reads the XML attributes that attributes, relationships and fetched properties have in common.
  func readCommon(into property: NSPropertyDescription) {
    property.isIndexed = flag("indexed")
    property.isIndexedBySpotlight = flag("spotlightIndexingEnabled")
    property.isStoredInExternalRecord = flag("storedInTruthFile")
    property.versionHashModifier = self["versionHashModifier"]
    property.renamingIdentifier = renamingIdentifier
    property.userInfo = userInfo
  }

  /// The renaming identifier; nil if it is absent or empty, because an empty one would match all
  /// other empty ones.
  var renamingIdentifier: String? {
    [self["elementID"], self["renamingIdentifier"]].compactMap { $0 }.first { !$0.isEmpty }
  }
}
