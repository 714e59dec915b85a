import Foundation
import OpenCoreData
import OpenObjectModel
import OpenSQLiteStore
import OpenSwiftData

/// A copy of a store that an application wrote with Apple's SwiftData; a copy, because opening a
/// store changes it.
struct AppleStore {
  static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data/stores")

  static let areHere = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("swiftdata-metacocktails/default.store").path)

  let url: URL

  init(_ name: String) throws {
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for file in ["default.store", "default.store-wal"] {
      try FileManager.default.copyItem(
        at: Self.folder.appendingPathComponent("\(name)/\(file)"),
        to: copy.appendingPathComponent(file))
    }
    url = copy.appendingPathComponent("default.store")
    let files = [url, copy.appendingPathComponent("default.store-wal")]
    for file in files {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    }
  }

  func delete() throws { try FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

  /// The hashes of the entities in the store's metadata.
  func hashes() throws -> [String: Data] {
    let metadata = try SQLiteStore.metadata(at: url)
    return metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }

  /// The model in the store.
  func model() throws -> NSManagedObjectModel? { try ModelCache.model(inStoreAt: url) }
}

/// A line for each fact of a model, except for values that differ between processes.
func facts(of model: NSManagedObjectModel) -> [String] {
  var lines = ["versions \(model.versionIdentifiers)"]
  for name in model.configurations {
    let members = model.entities(forConfigurationName: name)?.compactMap(\.name).sorted() ?? []
    lines.append("configuration \(name): \(members)")
  }
  for entity in model.entities {
    let name = entity.name ?? ""
    lines.append(
      "\(name): was \(entity.renamingIdentifier ?? ""), above \(entity.superentity?.name ?? "-"), "
        + "abstract \(entity.isAbstract), unique \(entity.uniquenessConstraints)")
    for index in entity.indexes {
      let elements = index.elements.map {
        "\($0.propertyName ?? "") \($0.collationType) \($0.isAscending)"
      }
      lines.append("\(name): index \(index.name) \(elements)")
    }
    for property in entity.properties { lines += facts(of: property).map { "\(name).\($0)" } }
  }
  return lines.sorted()
}

private func facts(of property: NSPropertyDescription) -> [String] {
  var line =
    "\(property.name): was \(property.renamingIdentifier ?? ""), optional \(property.isOptional), transient "
    + "\(property.isTransient), modifier \(property.versionHashModifier ?? "-")"
  if let relationship = property as? NSRelationshipDescription {
    line +=
      " → \(relationship.destinationEntity?.name ?? "-"), inverse "
      + "\(relationship.inverseRelationship?.name ?? "-"), \(relationship.minCount)…"
      + "\(relationship.maxCount), \(relationship.deleteRule), ordered \(relationship.isOrdered)"
    return [line]
  }
  guard let attribute = property as? NSAttributeDescription else { return [line] }
  let isComposite = attribute.type == .composite
  // Neither model describes the columns of composite attributes.
  let value =
    isComposite ? nil : attribute.defaultValue.map { $0 is UUID ? "a UUID" : "\($0)" }
  let className = isComposite ? nil : attribute.attributeValueClassName
  line +=
    ", type \(attribute.type.rawValue), class \(className ?? "-"), transformer "
    + "\(attribute.valueTransformerName ?? "-"), default \(value ?? "-"), external "
    + "\(attribute.allowsExternalBinaryDataStorage), history \(attribute.preservesValueInHistoryOnDeletion)"
  if attribute.userInfo?["EnumType"] != nil { line += ", enumeration" }
  if let cases = attribute.userInfo?["enum"] as? [String] { line += " of \(cases)" }
  let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
  return [line]
    + elements.enumerated().flatMap { number, element in
      facts(of: element).map { "\(property.name)/\(number) \($0)" }
    }
}
