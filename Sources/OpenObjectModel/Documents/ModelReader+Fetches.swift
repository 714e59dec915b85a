internal import Foundation
internal import OpenPredicates

extension ModelReader {
  func fetchedProperty(
    _ element: DocumentElement, _ entityName: String
  ) throws(ModelError) -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    guard let name = element["name"], !name.isEmpty else {
      throw error(.missingName, "A fetched property has no name.", element, entity: entityName)
    }
    property.name = name
    property.isOptional = element.flag("optional")
    property.template = try element.children("fetchRequest").first.map {
      (request) throws(ModelError) in
      try fetchTemplate(request, FetchFlagDefaults.fetchedProperty, entity: entityName)
    }
    return property
  }

  /// Reads the fetch request templates of the model.
  func readTemplates(
    _ root: DocumentElement, into model: NSManagedObjectModel
  ) throws(ModelError) {
    for element in root.children("fetchRequest") {
      guard let name = element["name"], !name.isEmpty else {
        throw error(.missingName, "A fetch request has no name.", element)
      }
      guard model.fetchTemplates[name] == nil else {
        throw error(
          .duplicateName, "Two fetch requests have the same name.", element, property: name)
      }
      model.fetchTemplates[name] = try fetchTemplate(
        element, FetchFlagDefaults.template, entity: element["entity"])
    }
  }

  /// Returns the contents of a `<fetchRequest>` element.
  private func fetchTemplate(
    _ element: DocumentElement, _ defaults: FetchFlagDefaults, entity: String?
  ) throws(ModelError) -> FetchTemplate {
    if let name = element["entity"], entities[name] == nil {
      throw error(
        .unknownEntity, "A fetch request refers to the entity \(name), which is not in the model.",
        element, entity: entity, property: element["name"])
    }
    var template = FetchTemplate(entityName: element["entity"])
    template.predicate = try predicate(element, "predicateString", entity: entity)
    template.fetchLimit = try limit(element, "fetchLimit", entity)
    template.fetchOffset = try limit(element, "fetchOffset", entity)
    template.fetchBatchSize = try limit(element, "fetchBatchSize", entity)
    template.resultType = UInt(try limit(element, "resultType", entity))
    for flag in FetchFlag.all {
      let text = flag.names.compactMap { element[$0] }.first
      template[keyPath: flag.path] =
        text.map { $0.uppercased() == "YES" } ?? defaults.value(of: flag)
    }
    return template
  }

  private func limit(
    _ element: DocumentElement, _ key: String, _ entity: String?
  ) throws(ModelError) -> Int {
    let limit = try count(element, key, entity: entity) ?? 0
    guard limit >= 0 else {
      throw error(
        .malformed, "The value of \(key) is negative. Correct it.", element, entity: entity,
        property: element["name"])
    }
    return limit
  }

  /// Returns the predicate in an XML attribute; nil if the attribute is absent or empty.
  func predicate(
    _ element: DocumentElement, _ key: String, entity: String?
  ) throws(ModelError) -> NSPredicate? {
    guard let format = element[key], !format.isEmpty else { return nil }
    do {
      return try NSPredicate.parsing(format)
    } catch {
      throw self.error(
        .malformed, "The predicate \(format) cannot be parsed: \(error.message)", element,
        entity: entity, property: element["name"])
    }
  }

  /// Returns the expression in an XML attribute; nil if the attribute is absent or empty.
  func expression(
    _ element: DocumentElement, _ key: String, entity: String?
  ) throws(ModelError) -> OpenPredicates.NSExpression? {
    guard let format = element[key], !format.isEmpty else { return nil }
    do {
      return try .parsing(format)
    } catch {
      throw self.error(
        .malformed, "The expression \(format) cannot be parsed: \(error.message)", element,
        entity: entity, property: element["name"])
    }
  }
}
