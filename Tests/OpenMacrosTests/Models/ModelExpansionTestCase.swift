import OpenMacros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import SwiftSyntaxMacrosTestSupport
import XCTest

/// Compares the model macros' expansion of a source with the expected one.
class ModelExpansionTestCase: XCTestCase {
  /// The superclass of a class, as far as the compiler reveals it to the macro.
  enum Superclass {
    case none
    case model
    /// A class that declares the other conformances itself.
    case own
    /// No model, for a class that conforms to the protocol of models in another way.
    case conforming

    fileprivate var missingConformances: [TypeSyntax] {
      switch self {
      case .none:
        [
          "Observable", "PersistentModel", "__RootModel", "Sendable", "CustomReflectable",
          "CustomDebugStringConvertible",
        ]
      case .model: []
      case .own: ["Observable", "PersistentModel", "__RootModel"]
      case .conforming: ["__RootModel"]
      }
    }
  }

  /// Checks the expansion of `@Model` alone: properties keep `@_PersistedProperty`.
  func check(
    _ source: String, expandsTo expansion: String, superclass: Superclass = .none,
    diagnostics: [DiagnosticSpec] = [], fixedBy fix: String? = nil, to fixedSource: String? = nil,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    let specs: [String: MacroSpec] = [
      "Model": MacroSpec(
        type: PersistentModelMacro.self, conformances: superclass.missingConformances),
      "Unique": MacroSpec(type: UniqueMacro.self), "Index": MacroSpec(type: IndexMacro.self),
      "ModelActor": MacroSpec(type: ModelActorMacro.self, conformances: ["ModelActor"]),
    ]
    assertMacroExpansion(
      source, expandedSource: expansion, diagnostics: diagnostics, macroSpecs: specs,
      applyFixIts: fix.map { [$0] }, fixedSource: fixedSource, indentationWidth: .spaces(2),
      file: file, line: line)
  }

  /// Checks the expansion of the attributes of properties.
  func checkProperty(
    _ source: String, expandsTo expansion: String, diagnostics: [DiagnosticSpec] = [],
    fixedBy fix: String? = nil, to fixedSource: String? = nil, file: StaticString = #filePath,
    line: UInt = #line
  ) {
    assertMacroExpansion(
      source, expandedSource: expansion, diagnostics: diagnostics,
      macros: [
        "_PersistedProperty": PersistedPropertyMacro.self,
        "_TransformablePersistedProperty": TransformablePropertyMacro.self,
        "Attribute": AttributeMacro.self, "Relationship": RelationshipMacro.self,
        "Transient": TransientMacro.self,
      ],
      applyFixIts: fix.map { [$0] }, fixedSource: fixedSource, indentationWidth: .spaces(2),
      file: file, line: line)
  }
}

/// The expected members that `@Model` adds to a class that does not derive from a model.
struct ExpectedModel {
  var name = "Story"
  /// The access level with a space, of members that subclasses override, and of the others.
  var access = ""
  var memberAccess: String?
  var isFinal = true
  /// The rows of `schemaMetadata`, or its statements.
  var rows: [String] = []
  var statements: String?
  /// The storage that the initializer sets.
  var storage: [String] = []
  /// The statements before the last one of the initializer, if they are more than assignments.
  var assignments: String?

  var members: String {
    let memberAccess = memberAccess ?? access
    let rootAccess = memberAccess + (isFinal ? "" : "final ")
    let list = rows.map { "      \($0),\n" }.joined()
    let schema = statements ?? (rows.isEmpty ? "    []" : "    [\n\(list)    ]")
    let sets =
      assignments ?? storage.map { "    \($0) = _SwiftDataNoType()\n" }.joined()
    return """

        @Transient @exclusivity(unchecked) private var _$link = __ModelLink()

        @Transient @exclusivity(unchecked) private var _$backingData = __ModelObject.make(for: \(name).self)

        public var persistentBackingData: any __BackingData<\(name)> {
          get {
            __ModelBacking(__object)
          }
          set {
            __object = __ModelObject.make(from: newValue, replacing: __object)
          }
        }

        \(rootAccess)nonisolated var __object: __ModelObject {
          get {
            _$backingData
          }
          set {
            _$link.move(self, from: _$backingData, to: newValue)
            _$backingData = newValue
          }
        }

        \(rootAccess)nonisolated func __bind() {
          _$link.bind(self, to: __object)
        }

        \(access)\(isFinal ? "static" : "class") var schemaMetadata: [__Schema.PropertyMetadata] {
      \(schema)
        }

        \(memberAccess)\(isFinal ? "" : "required ")init(__object object: __shared __ModelObject) {
      \(sets)    if _$backingData !== object {
            _$backingData = object
          }
        }

        \(memberAccess)\(isFinal ? "" : "required ")convenience init(backingData: any __BackingData<\(name)>) {
          self.init(__object: __ModelObject.make(from: backingData))
        }

        nonisolated func access<_M>(keyPath: Swift.KeyPath<\(name), _M>) {
          __object.access(keyPath)
        }

        nonisolated func withMutation<_M, _R>(
          keyPath: Swift.KeyPath<\(name), _M>, _ mutation: () throws -> _R
        ) rethrows -> _R {
          try __object.withMutation(keyPath, mutation)
        }

        nonisolated struct _SwiftDataNoType {
        }
      """
  }

  /// The extensions that `@Model` adds.
  static func extensions(of name: String = "Story", own: Bool = false) -> String {
    let conformances = """

      extension \(name): nonisolated __PersistentModel {
      }

      extension \(name): nonisolated __RootModel {
      }

      extension \(name): nonisolated __Observable {
      }
      """
    if own { return conformances }
    return conformances + """


      @available(*, unavailable, message: "models are not Sendable: pass the persistentModelID, or use a ModelActor")
      extension \(name): Swift.Sendable {
      }

      extension \(name): nonisolated Swift.CustomReflectable {
      }

      extension \(name): nonisolated Swift.CustomDebugStringConvertible {
      }
      """
  }

  /// A row of `schemaMetadata`.
  static func row(
    _ name: String, of model: String = "Story", path: String? = nil, default value: String = "nil",
    _ metadata: String = "nil"
  ) -> String {
    "__Schema.PropertyMetadata(name: \"\(name)\", keypath: \\\(model).\(path ?? name), "
      + "defaultValue: \(value), metadata: \(metadata))"
  }
}
