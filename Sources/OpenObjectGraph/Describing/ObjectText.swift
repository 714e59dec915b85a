internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The debug description of a managed object or a model object, with the entity, the id and the
/// loaded values.
///
/// Creating the description reads no store and decodes no value. Observers do not treat the
/// description as an access to the properties.
package struct ObjectText {
  /// The known content of a property.
  package enum Content {
    /// A loaded value.
    case value(Any?)
    /// Text that is shown instead of a value that is not loaded or not decoded.
    case note(String)
  }

  /// The names of the properties and their contents.
  package typealias Contents = [(name: String, content: Content)]

  let object: NSManagedObject
  /// The managed object, or the model object whose values the managed object contains.
  let subject: AnyObject
  private(set) var contents: Contents?

  init(of object: NSManagedObject) {
    self.object = object
    subject = object
    contents = loadedContents
  }

  /// Creates the description of a model object.
  ///
  /// - Parameters:
  ///   - model: The model object.
  ///   - object: The managed object that contains the values of the model object.
  ///   - convert: A closure that converts the loaded contents to the contents of the model object's
  ///     properties.
  package init(
    ofModel model: AnyObject, in object: NSManagedObject, _ convert: (Contents) -> Contents
  ) {
    self.object = object
    subject = model
    contents = loadedContents.map(convert)
  }

  /// Whether the caller does not run on the queue of the object's context.
  private var isElsewhere: Bool {
    object.registry?.sharedContext.map { !$0.queue.isCurrent } ?? false
  }

  /// The properties in the order of the entity, without fetched properties; nil if no values are
  /// loaded.
  private var loadedContents: Contents? {
    if isElsewhere || !object.contents.hasValues && object.edits.isEmpty { return nil }
    return object.compiledEntity.properties.compactMap { property in
      property.name.contains(".") ? nil : (property.name, content(of: property))
    }
  }

  private func content(of property: CompiledProperty) -> Content {
    switch property.kind {
    case .relationship(let relationship):
      return relationship.isToMany ? members(property) : destination(property)
    case .attribute(let attribute):
      if property.isTransient, let kept = PropertyValue.kept(property, of: object) {
        return .value(kept is NSNull ? nil : kept)
      }
      if case .boxed(let box) = object.edits[property.ordinal] { return .value(box.value) }
      if let kept = object.extras?.values[property.ordinal] { return .value(kept) }
      if !attribute.elements.isEmpty { return elements(of: property) }
      if attribute.type == .undefined { return .value(PropertyValue.current(property, of: object)) }
      return packedContent(of: property, attribute)
    }
  }

  private func packedContent(
    of property: CompiledProperty, _ attribute: CompiledAttribute
  ) -> Content {
    // Describing an object must not make its next save throw.
    if !object.edits.contains(property.ordinal), RowValue.isUnreadable(property, in: object) {
      return .note("<cannot be read>")
    }
    let value = object.packedValue(property)
    guard attribute.type == .transformable else { return .value(value.anyValue) }
    guard case .data(let data) = value else { return .value(nil) }
    return .note("<\(data.count) bytes, not decoded>")
  }

  private func elements(of property: CompiledProperty) -> Content {
    let value = CompositeValue(property, of: object.compiledEntity) { element in
      switch content(of: element) {
      case .value(let value): value
      case .note(let note): note
      }
    }
    return .value(value?.dictionary)
  }

  private func destination(_ property: CompiledProperty) -> Content {
    if let known = object.knownDestination(property.ordinal) { return .value(known.currentID) }
    let isSet =
      !object.edits.contains(property.ordinal)
      && object.hasFault(forRelationshipNamed: property.name)
    return isSet ? .note("<relationship fault: \(property.name)>") : .value(nil)
  }

  private func members(_ property: CompiledProperty) -> Content {
    if object.hasFault(forRelationshipNamed: property.name) {
      return .note("<relationship fault: \(property.name)>")
    }
    return .value(object.extras?.members(property.ordinal)?.members?.objects.map(\.currentID) ?? [])
  }

  /// The description in the format of Apple's framework.
  package var description: String {
    let start = "\(DebugText.name(of: subject)) (entity: \(object.compiledEntity.name)"
    if isElsewhere { return "\(start); data: <used outside the queue of its context>)" }
    let id = object.registration == .detached ? "no context" : "id: \(object.currentID)"
    guard let contents else { return "\(start); \(id); data: <fault>)" }
    let lines = contents.map { name, content in "    \(name) = \(Self.text(content));\n" }
    return "\(start); \(id)\(state); data: {\n\(lines.joined())})"
  }

  private var state: String {
    switch object.registration {
    case .inserted: "; inserted"
    case .deleted: "; deleted"
    case .persistent: object.isMarkedUpdated ? "; updated" : ""
    case .detached: ""
    }
  }

  private static func text(_ content: Content) -> String {
    switch content {
    case .value(let value): value.map { DebugText.short($0) } ?? "nil"
    case .note(let note): note
    }
  }

  /// A mirror with the id and the loaded properties as children.
  package var mirror: Mirror {
    let children = (contents ?? []).map { name, content in
      switch content {
      case .value(let date as Date) where !DebugText.isInCalendar(date):
        (name, DebugText.text(of: date))
      case .value(let value): (name, value ?? "nil")
      case .note(let note): (name, note as Any)
      }
    }
    let note: [(String, Any)] = contents == nil ? [("data", "<fault>")] : []
    let all = [("objectID", object.currentID as Any)] + children + note
    return Mirror(
      subject, children: all.map { Mirror.Child(label: $0.0, value: $0.1) }, displayStyle: .class,
      ancestorRepresentation: .suppressed)
  }
}

extension NSManagedObject: CustomReflectable {
  /// A mirror with the object's id and its loaded properties.
  ///
  /// Creating the mirror does not read from a store.
  ///
  /// This is an addition to Apple's API.
  ///
  /// > Concurrency: Call on the context's queue.
  public final var customMirror: Mirror { ObjectText(of: self).mirror }
}
