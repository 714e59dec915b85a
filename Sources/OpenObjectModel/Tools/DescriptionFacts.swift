internal import Foundation
internal import OpenPredicates

/// The contents of a description as named strings in a fixed order, for comparing two descriptions.
struct DescriptionFacts {
  typealias Fact = (aspect: String, value: String?)

  /// Returns names as in the new model, so that renaming does not change descriptions that refer to
  /// the renamed one.
  let entityName: (NSEntityDescription?) -> String?
  let propertyName: (NSPropertyDescription?) -> String?

  func facts(_ entity: NSEntityDescription) -> [Fact] {
    [
      ("class", entity.ownClassName), ("parent", entityName(entity.superentity)),
      ("abstract", flag(entity.isAbstract)), ("hash modifier", entity.versionHashModifier),
      ("user info", text(entity.userInfo)),
    ]
  }

  func facts(_ property: NSPropertyDescription) -> [Fact] {
    let own: [Fact] =
      switch property {
      case let attribute as NSAttributeDescription: facts(of: attribute)
      case let relationship as NSRelationshipDescription: facts(of: relationship)
      case let fetched as NSFetchedPropertyDescription: [("fetch", text(fetched.template))]
      case let computed as NSExpressionDescription: facts(of: computed)
      default: []
      }
    return own + [
      ("optional", flag(property.isOptional)), ("transient", flag(property.isTransient)),
      ("conditions", conditions(property)), ("indexed", flag(property.isIndexed)),
      ("Spotlight", flag(property.isIndexedBySpotlight)),
      ("external record", flag(property.isStoredInExternalRecord)),
      ("hash modifier", property.versionHashModifier), ("user info", text(property.userInfo)),
    ]
  }

  private func facts(of attribute: NSAttributeDescription) -> [Fact] {
    [
      ("type", Self.typeName(attribute)), ("default", defaultText(of: attribute)),
      ("transformer", attribute.valueTransformerName),
      ("value class", attribute.attributeValueClassName),
      ("external storage", flag(attribute.allowsExternalBinaryDataStorage)),
      ("kept in history", flag(attribute.preservesValueInHistoryOnDeletion)),
      ("cloud encryption", flag(attribute.allowsCloudEncryption)),
      (
        "derivation",
        (attribute as? NSDerivedAttributeDescription)?.derivationExpression?.description
      ),
      ("elements", elements(attribute, enclosing: [])),
    ]
  }

  private func facts(of relationship: NSRelationshipDescription) -> [Fact] {
    [
      ("destination", entityName(relationship.destinationEntity)),
      ("inverse", propertyName(relationship.inverseRelationship)),
      ("minimum count", String(relationship.minCount)),
      ("maximum count", String(relationship.maxCount)),
      ("ordered", flag(relationship.isOrdered)),
      ("delete rule", Self.ruleNames[relationship.deleteRule]),
    ]
  }

  private func facts(of computed: NSExpressionDescription) -> [Fact] {
    [
      ("expression", computed.expression?.description),
      ("result type", String(computed.resultType.rawValue)),
    ]
  }

  private static let ruleNames: [NSDeleteRule: String] = [
    .nullifyDeleteRule: "nullify", .cascadeDeleteRule: "cascade", .denyDeleteRule: "deny",
    .noActionDeleteRule: "no action",
  ]

  func facts(_ index: NSFetchIndexDescription) -> [Fact] {
    let columns = index.elements.map { element in
      let computed = element.property as? NSExpressionDescription
      let name = computed?.expression?.description ?? propertyName(element.property) ?? "?"
      return name + (element.isAscending ? "" : " descending")
        + (element.collationType == .rTree ? " R-tree" : "")
    }
    return [
      ("columns", columns.joined(separator: ", ")),
      ("condition", index.partialIndexPredicate?.canonicalFormat),
    ]
  }

  // MARK: Texts

  /// Returns the name of an attribute's type as model documents spell it.
  static func typeName(_ attribute: NSAttributeDescription) -> String {
    AttributeReader.typeNames[attribute.type] ?? "Type \(attribute.type.rawValue)"
  }

  /// Returns the text of a default value. In compiled models, the default value of a Boolean
  /// attribute may be a number.
  private func defaultText(of attribute: NSAttributeDescription) -> String? {
    if attribute.valueType == .boolean, case .bool(let value)? = attribute.convertedDefault {
      return flag(value)
    }
    return text(attribute.defaultValue)
  }

  private func flag(_ flag: Bool) -> String { flag ? "YES" : "NO" }

  /// Returns the elements of a composite attribute; recursion into itself ends.
  private func elements(
    _ attribute: NSAttributeDescription, enclosing: [NSAttributeDescription]
  ) -> String? {
    guard let composite = attribute as? NSCompositeAttributeDescription,
      !enclosing.contains(where: { $0 === composite })
    else { return nil }
    return composite.elements.sorted { $0.name < $1.name }.map { element in
      let inner = elements(element, enclosing: enclosing + [composite]).map { " (\($0))" } ?? ""
      let value = defaultText(of: element).map { " = \($0)" } ?? ""
      return
        "\(element.name) \(Self.typeName(element))\(element.isOptional ? "?" : "")\(value)\(inner)"
    }.joined(separator: ", ")
  }

  private func conditions(_ property: NSPropertyDescription) -> String? {
    let warnings = property.validationWarnings
    let texts = property.validationPredicates.enumerated().map { index, predicate in
      predicate.canonicalFormat + (index < warnings.count ? " [\(warnings[index])]" : "")
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// Returns the text of a fetch request template.
  func text(_ template: FetchTemplate?) -> String? {
    guard let template else { return nil }
    var parts = [template.entityName ?? "nothing"]
    if let predicate = template.predicate { parts.append("where \(predicate.canonicalFormat)") }
    for key in template.sortKeys {
      parts.append("by \(key.key)\(key.isAscending ? "" : " descending") \(key.selector ?? "")")
    }
    let numbers = [
      ("limit", template.fetchLimit), ("offset", template.fetchOffset),
      ("batches of", template.fetchBatchSize), ("result type", Int(clamping: template.resultType)),
    ]
    parts += numbers.filter { $0.1 != 0 }.map { "\($0.0) \($0.1)" }
    let flags = FetchFlag.all.filter { template[keyPath: $0.path] != $0.usual }
    parts += flags.map { "\($0.names[0]) \(flag(template[keyPath: $0.path]))" }
    return parts.joined(separator: ", ")
  }

  private func text(_ userInfo: [AnyHashable: Any]?) -> String? {
    guard let userInfo, !userInfo.isEmpty else { return nil }
    return userInfo.map { "\($0.key) = \(text($0.value) ?? "")" }.sorted().joined(separator: ", ")
  }

  private func text(_ any: Any?) -> String? {
    guard let any else { return nil }
    guard let value = Value(any: any) else { return "an object of \(type(of: any))" }
    return switch value {
    case .null: nil
    case .bool(let flag): self.flag(flag)
    case .data(let data): "\(data.count) bytes"
    case .date(let seconds): "\(AttributeValidationWriter.text(of: seconds)) s"
    case .decimal(let box): box.decimal.description
    case .string(let text): text.debugDescription
    default: value.anyValue.map { "\($0)" }
    }
  }
}
