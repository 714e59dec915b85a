public import Observation

// The names that generated code uses for types of the library. With these names, an application can
// have types with the original names, and needs to import only this module. More such names are
// declared next to their types.

/// An alias of `Observable` for the code that `@Model` generates, so that an application can
/// declare a type named `Observable`.
public typealias __Observable = Observable

/// An alias of ``ModelActor`` for the code that `@ModelActor` generates, so that an application can
/// declare a type named `ModelActor`.
public typealias __ModelActor = ModelActor
/// An alias of ``ModelExecutor`` for the code that `@ModelActor` generates, so that an application
/// can declare a type named `ModelExecutor`.
public typealias __ModelExecutor = ModelExecutor
/// An alias of ``ModelContainer`` for the code that `@ModelActor` generates, so that an application
/// can declare a type named `ModelContainer`.
public typealias __ModelContainer = ModelContainer
/// An alias of ``ModelContext`` for the code that `@ModelActor` generates, so that an application
/// can declare a type named `ModelContext`.
public typealias __ModelContext = ModelContext
/// An alias of ``DefaultSerialModelExecutor`` for the code that `@ModelActor` generates, so that an
/// application can declare a type named `DefaultSerialModelExecutor`.
public typealias __DefaultSerialModelExecutor = DefaultSerialModelExecutor
