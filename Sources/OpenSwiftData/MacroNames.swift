public import Observation

// What the macros call types of the library, so that an application may have types of the same names, and needs to import nothing
// but this module. Further ones stand beside the types.

/// What `@Model` calls `Observable`.
public typealias __Observable = Observable

/// What `@ModelActor` calls ``ModelActor``.
public typealias __ModelActor = ModelActor
/// What `@ModelActor` calls ``ModelExecutor``.
public typealias __ModelExecutor = ModelExecutor
/// What `@ModelActor` calls ``ModelContainer``.
public typealias __ModelContainer = ModelContainer
/// What `@ModelActor` calls ``ModelContext``.
public typealias __ModelContext = ModelContext
/// What `@ModelActor` calls ``DefaultSerialModelExecutor``.
public typealias __DefaultSerialModelExecutor = DefaultSerialModelExecutor
