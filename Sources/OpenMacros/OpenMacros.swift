import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plug-in that expands the macros of OpenCoreData.
///
/// A macro checks a declaration, converts the declaration to a plain value, and renders calls to
/// library functions. The library functions contain the logic.
@main struct OpenMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ManagedMacro.self, ManagedAccessorMacro.self, ManagedObjectMacro.self,
    ReadableByKeyMacro.self,
    PersistentModelMacro.self, PersistedPropertyMacro.self, TransformablePropertyMacro.self,
    AttributeMacro.self, RelationshipMacro.self, TransientMacro.self,
    UniqueMacro.self, IndexMacro.self, ModelActorMacro.self,
  ]
}
