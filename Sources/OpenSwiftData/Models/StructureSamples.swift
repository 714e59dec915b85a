internal import Foundation

/// Values of a structure that differ in one member, in the form that a managed object stores.
struct StructureSamples {
  /// A value of the member, and a structure with this value.
  struct Sample {
    let member: Any
    let structure: [String: Any]
  }

  /// The type of the member, including `Optional`.
  let type: any Any.Type
  let all: [Sample]

  /// Creates the samples; the result is `nil` if the structure does not have the member, or if the
  /// type of the member has no samples.
  ///
  /// - Parameters:
  ///   - property: The property whose type is the structure.
  ///   - form: The form of the structure.
  ///   - path: The names of the members on the way from the structure to the member.
  init?(of property: Schema.PropertyMetadata, _ form: CompositeForm, member path: [String]) {
    guard let element = form.element(at: path[...]),
      let values = SampleValues.values(of: element.type)
    else { return nil }
    type = element.type
    let empty = Self.emptyStructure(of: property, form)
    all = values.map { value in
      let stored = Self.stored(value, as: element) ?? NSNull()
      return Sample(member: value, structure: Self.setting(stored, at: path[...], in: empty))
    }
  }

  /// Returns the structure whose members are placeholders. The dictionary is empty for a structure
  /// whose coding rejects placeholders.
  private static func emptyStructure(
    of property: Schema.PropertyMetadata, _ form: CompositeForm
  ) -> [String: Any] {
    func encodedPlaceholder<Content>(_ type: Content.Type) -> Any? {
      Placeholder.known(type).flatMap { encoded($0, property.name) }
    }
    return _openExistential(form.type, do: encodedPlaceholder) as? [String: Any] ?? [:]
  }

  private static func stored(_ value: Any, as element: CompositeForm.Element) -> Any? {
    ModelCoding.unwrapped(value).flatMap { encoded($0, element.name) }
  }

  private static func encoded(_ value: Any, _ name: String) -> Any? {
    // Without the encoded value, the key path returns values that differ from the samples.
    guard let value = value as? any Encodable,
      let form = try? StoredForm.of(Swift.type(of: value))
    else { return nil }
    return try? ModelCoding.encode(value, as: form, attributeName: name)
  }

  private static func setting(
    _ value: Any, at path: ArraySlice<String>, in structure: [String: Any]
  ) -> [String: Any] {
    guard let name = path.first else { return structure }
    var structure = structure
    if path.count == 1 {
      structure[name] = value
    } else {
      let inner = structure[name] as? [String: Any] ?? [:]
      structure[name] = setting(value, at: path.dropFirst(), in: inner)
    }
    return structure
  }
}

extension CompositeForm {
  /// Returns the element at the end of a path of names.
  fileprivate func element(at path: ArraySlice<String>) -> Element? {
    guard let name = path.first, let element = elements.first(where: { $0.name == name }) else {
      return nil
    }
    guard path.count > 1 else { return element }
    guard case .composite(let inner) = element.content else { return nil }
    return inner.element(at: path.dropFirst())
  }
}
