import SwiftSyntax
import SwiftSyntaxBuilder

/// Renders the members that `@Model` adds to a class.
///
/// The names with two underscores are declared by the library, so that a type of the user's may be
/// called `Schema`.
struct ModelMembers {
  private let model: ModelDeclaration

  init(of model: ModelDeclaration) { self.model = model }

  /// All members. The link comes first, so that the object forgets the model before the other
  /// members are destroyed.
  var all: [DeclSyntax] {
    let own =
      model.isSubmodel ? [ownValues] : [link, object, backingData, objectAccess, binding]
    return own + [schemaMetadata, initializer, backingInitializer, access, mutation, noType]
  }

  // MARK: Storage

  private var link: DeclSyntax {
    "@Transient @exclusivity(unchecked) private var _$link = __ModelLink()"
  }

  private var object: DeclSyntax {
    """
    @Transient @exclusivity(unchecked) private var _$backingData = __ModelObject.make(for: \(raw: model.name).self)
    """
  }

  /// A property can initialize only the storage of the class that declares it, so the values wait
  /// for the object that the root class creates.
  private var ownValues: DeclSyntax {
    "@Transient private var _$backingData = __ModelValues(for: \(raw: model.name).self)"
  }

  private var noType: DeclSyntax { "nonisolated struct _SwiftDataNoType {}" }

  private var backingData: DeclSyntax {
    """
    public var persistentBackingData: any __BackingData<\(raw: model.name)> {
      get { __ModelBacking(__object) }
      set { __object = __ModelObject.make(from: newValue, replacing: __object) }
    }
    """
  }

  private var objectAccess: DeclSyntax {
    """
    \(raw: rootAccess)nonisolated var __object: __ModelObject {
      get { _$backingData }
      set {
        _$link.move(self, from: _$backingData, to: newValue)
        _$backingData = newValue
      }
    }
    """
  }

  /// Sub-models inherit these members, and do not override them.
  private var rootAccess: String { model.memberAccess + (model.isFinal ? "" : "final ") }

  private var binding: DeclSyntax {
    """
    \(raw: rootAccess)nonisolated func __bind() {
      _$link.bind(self, to: __object)
    }
    """
  }

  // MARK: Initializers

  private var requirement: String { model.isFinal && !model.isSubmodel ? "" : "required " }

  /// Creates the model of an object.
  private var initializer: DeclSyntax {
    let assignments = model.properties.map { property in
      directive(property.condition, around: "\(property.property.storage) = _SwiftDataNoType()")
    }
    let end =
      model.isSubmodel
      ? "super.init(__object: object)"
      : "if _$backingData !== object { _$backingData = object }"
    return """
      \(raw: model.memberAccess)\(raw: requirement)init(__object object: __shared __ModelObject) {
        \(raw: (assignments + [end]).joined(separator: "\n"))
      }
      """
  }

  private var backingInitializer: DeclSyntax {
    let root = model.isSubmodel ? "Root" : model.name
    return """
      \(raw: model.memberAccess)\(raw: requirement)convenience init(backingData: any __BackingData<\(raw: root)>) {
        self.init(__object: __ModelObject.make(from: backingData))
      }
      """
  }

  // MARK: Observation

  private var access: DeclSyntax {
    """
    nonisolated func access<_M>(keyPath: Swift.KeyPath<\(raw: model.name), _M>) {
      __object.access(keyPath)
    }
    """
  }

  private var mutation: DeclSyntax {
    """
    nonisolated func withMutation<_M, _R>(
      keyPath: Swift.KeyPath<\(raw: model.name), _M>, _ mutation: () throws -> _R
    ) rethrows -> _R {
      try __object.withMutation(keyPath, mutation)
    }
    """
  }

  // MARK: Schema

  private var schemaMetadata: DeclSyntax {
    let modifier =
      model.isSubmodel ? "override class" : model.isFinal ? "static" : "class"
    return """
      \(raw: model.access)\(raw: modifier) var schemaMetadata: [__Schema.PropertyMetadata] {
        \(raw: schemaRows)
      }
      """
  }

  private struct Row {
    let text: String
    let condition: String?
  }

  private var rows: [Row] {
    model.properties.map { Row(text: row(of: $0.property), condition: $0.condition) }
      + model.constraints.map { Row(text: row(of: $0), condition: $0.condition) }
  }

  /// A literal, or statements if a row depends on a condition.
  private var schemaRows: String {
    let rows = rows
    let inherited = model.isSubmodel ? "super.schemaMetadata" : nil
    if rows.contains(where: { $0.condition != nil }) {
      let additions = rows.map { row in
        directive(row.condition, around: "rows.append(\(row.text))")
      }
      return """
        var rows: [__Schema.PropertyMetadata] = \(inherited ?? "[]")
        \(additions.joined(separator: "\n"))
        return rows
        """
    }
    let literal = rows.isEmpty ? "[]" : "[\n\(rows.map { $0.text + ",\n" }.joined())]"
    return inherited.map { "\($0) + \(literal)" } ?? literal
  }

  private func row(of property: ModelProperty) -> String {
    let keyPath = "\\\(model.name).\(property.reference)"
    return
      "__Schema.PropertyMetadata(name: \"\(property.name)\", keypath: \(keyPath), "
      + "defaultValue: \(property.typedDefaultValue), metadata: \(property.metadata))"
  }

  private func row(of constraint: ModelDeclaration.Constraint) -> String {
    let type = constraint.expansion.genericArgumentClause?.trimmedDescription ?? "<\(model.name)>"
    let arguments = constraint.expansion.arguments.trimmedDescription
    return
      "__Schema.PropertyMetadata(name: \"SwiftData.Schema.\(constraint.name)\", "
      + "keypath: \\__Schema.encodingVersion, defaultValue: nil, "
      + "metadata: __Schema.\(constraint.name)\(type)(\(arguments)))"
  }
}
