internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

/// Creates the description of one attribute for a managed object model.
struct AttributeAssembly {
  private let attribute: Schema.Attribute

  init(_ attribute: Schema.Attribute) { self.attribute = attribute }

  /// Creates the description.
  ///
  /// - Throws: `ModelValueError` if values of the type or the default value cannot be stored.
  func description() throws(ModelValueError) -> NSAttributeDescription {
    let isOptional = attribute.isOptional
    let description: NSAttributeDescription
    if let form = try attribute.form {
      description = Self.description(form.content, of: form.type, named: attribute.name, isOptional)
      description.defaultValue = try defaultValue(form)
      if let composite = form.composite {
        setDefaultsOfElements(of: description, composite)
        renameElement(of: description, composite)
      }
    } else {
      description = NSAttributeDescription()
      description.type = .transformable
      description.valueTransformerName = attribute.transformerName
      description.attributeValueClassName = Self.className(attribute.valueType)
    }
    description.name = attribute.name
    description.isOptional = isOptional
    description.renamingIdentifier = renamingIdentifier
    description.versionHashModifier = attribute.hashModifier
    apply(attribute.options, to: description)
    return description
  }

  private var renamingIdentifier: String {
    attribute.originalName.isEmpty ? attribute.name : attribute.originalName
  }

  // MARK: Forms

  /// Renames the element of raw values together with the attribute, because both have the same
  /// name.
  private func renameElement(of description: NSAttributeDescription, _ form: CompositeForm) {
    guard form.kind.isRawValues else { return }
    let composite = description as? NSCompositeAttributeDescription
    composite?.elements.first?.renamingIdentifier = renamingIdentifier
  }

  private static func description(
    _ content: StoredForm.Content, of type: any Any.Type, named name: String, _ isOptional: Bool
  ) -> NSAttributeDescription {
    switch content {
    case .scalar(let scalar):
      let description = NSAttributeDescription()
      description.type = scalar.attributeType
      return description
    case .json:
      let description = NSAttributeDescription()
      description.type = .binaryData
      return description
    case .archive:
      let description = NSAttributeDescription()
      description.type = .transformable
      description.valueTransformerName = "NSSecureUnarchiveFromData"
      description.attributeValueClassName = className(type)
      return description
    case .composite(let form): return composite(form, named: name, isOptional)
    }
  }

  private static func composite(
    _ form: CompositeForm, named name: String, _ isOptional: Bool
  ) -> NSCompositeAttributeDescription {
    let description = NSCompositeAttributeDescription()
    description.attributeValueClassName = "NSDictionary"
    description.elements = form.elements.map { element in
      let elementName = form.kind.isRawValues ? name : element.name
      // If an optional value is nil, all of its parts are missing.
      let isPartOptional = isOptional || element.isOptional
      let part = Self.description(
        element.content, of: StoredFormBuilder.unwrapped(element.type).type, named: elementName,
        isPartOptional)
      part.name = elementName
      part.renamingIdentifier = elementName
      part.isOptional = isPartOptional
      return part
    }
    if form.isEnumeration {
      description.userInfo = ["EnumType": true]
      if let names = form.caseNames { description.userInfo?["enum"] = names }
    }
    return description
  }

  /// Returns the class name of an attribute's type, without `Optional`.
  private static func className(_ type: any Any.Type) -> String {
    String(describing: StoredFormBuilder.unwrapped(type).type)
  }

  // MARK: Default values

  /// Returns the default value in the form of the attribute's type; `nil` for composite attributes.
  private func defaultValue(_ form: StoredForm) throws(ModelValueError) -> Any? {
    guard let given = attribute.defaultValue.flatMap(ModelCoding.unwrapped), form.composite == nil
    else { return nil }
    guard type(of: given) == form.type, let value = given as? any Encodable else {
      throw ModelValueError(
        .refused,
        "The default value is of type \(type(of: given)), not \(form.type). Change the default value or the type of the property."
      )
    }
    return try ModelCoding.encode(value, as: form, attributeName: attribute.name)
  }

  /// Divides the default value of a composite attribute among the elements, which have the columns.
  ///
  /// If the default value cannot be stored, the elements have no default values. The error is
  /// reported when a model has the value.
  private func setDefaultsOfElements(
    of description: NSAttributeDescription, _ form: CompositeForm
  ) {
    guard let given = attribute.defaultValue.flatMap(ModelCoding.unwrapped),
      type(of: given) == form.type, let value = given as? any Encodable,
      let leaves = (description as? NSCompositeAttributeDescription)?.leaves.map(\.attribute),
      // A model with the value reports the error.
      let values = try? ModelCoding.leaves(of: value, form), leaves.count == values.count,
      zip(leaves, values).allSatisfy({ Self.canStore($0, $1) })
    else { return }
    for (leaf, value) in zip(leaves, values) { leaf.defaultValue = value.anyValue }
  }

  private static func canStore(_ attribute: NSAttributeDescription, _ value: Value) -> Bool {
    AttributeType(rawValue: attribute.type.rawValue)?.slotDomain.accepts(value) ?? false
  }

  // MARK: Options

  private func apply(_ options: [Schema.Attribute.Option], to description: NSAttributeDescription) {
    for option in options {
      switch option.kind {
      case .externalStorage:
        description.allowsExternalBinaryDataStorage = description.type == .binaryData
      case .ephemeral:
        description.isTransient = true
        // A fetched model may have no value, which validation must not reject.
        description.isOptional = true
      case .preserveValueOnDeletion: preserve(description)
      case .spotlight: description.isIndexedBySpotlight = true
      case .allowsCloudEncryption: description.allowsCloudEncryption = true
      case .unique, .codable, .transformable: continue
      }
    }
  }

  /// Preserves the value of an attribute in the history. A composite attribute has no stored value,
  /// so the function also preserves its elements.
  private func preserve(_ description: NSAttributeDescription) {
    description.preservesValueInHistoryOnDeletion = true
    let composite = description as? NSCompositeAttributeDescription
    for element in composite?.elements ?? [] { preserve(element) }
  }
}
