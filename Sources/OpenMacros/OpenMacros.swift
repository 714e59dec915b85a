import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plug-in behind the macros of OpenCoreData.
///
/// Macros only expand: they check a declaration, turn it into a plain value and render calls of
/// library functions. They contain no behaviour.
@main struct OpenMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ManagedMacro.self, ManagedAccessorMacro.self, ManagedObjectMacro.self,
    ReadableByKeyMacro.self,
    PersistentModelMacro.self, PersistedPropertyMacro.self, TransformablePropertyMacro.self,
    AttributeMacro.self, RelationshipMacro.self, TransientMacro.self,
    UniqueMacro.self, IndexMacro.self, ModelActorMacro.self,
  ]
}
