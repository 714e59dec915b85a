internal import COpenRuntime
internal import OpenObjectModel

/// Finds the class that an entity names, without any registration, among the types of the process.
enum ClassLookup {
  /// The class of a name, "Forum" or "Module.Forum"; `NSManagedObject` when there is none.
  static func managedClass(named name: String) -> NSManagedObject.Type {
    let wanted = name.hasPrefix(".") ? String(name.dropFirst()) : name
    guard wanted != "NSManagedObject", !wanted.isEmpty else { return NSManagedObject.self }
    guard let found = find(wanted) ?? find(lastComponent(of: wanted)) else {
      GraphLog.warning("Unable to load class named '\(name)'; NSManagedObject is used.")
      return NSManagedObject.self
    }
    return found
  }

  private static func find(_ name: String) -> NSManagedObject.Type? {
    let metadata = name.withCString { name in
      ocd_find_class(
        name,
        { metadata, _ in
          unsafeBitCast(metadata, to: AnyClass.self) is NSManagedObject.Type
        }, nil)
    }
    guard let metadata else { return nil }
    return unsafeBitCast(metadata, to: AnyClass.self) as? NSManagedObject.Type
  }

  /// The registry of the built-in stores; nil in a program that does not link them.
  static var builtInStores: (any StoreRegistry.Type)? {
    let metadata = "OpenBuiltInStores.BuiltInStoreRegistry".withCString { name in
      ocd_find_class(
        name,
        { metadata, _ in
          unsafeBitCast(metadata, to: AnyClass.self) is any StoreRegistry.Type
        }, nil)
    }
    return metadata.flatMap {
      unsafeBitCast($0, to: AnyClass.self) as? any StoreRegistry.Type
    }
  }

  private static func lastComponent(of name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }

  /// The name of the entity whose class is given, in any model in use.
  static func entityName(of type: NSManagedObject.Type) -> String {
    entity(of: type)?.name ?? type.__managedClassName
  }

  /// The description of the entity whose class is given, in the model compiled last.
  static func entityDescription(of type: NSManagedObject.Type) -> NSEntityDescription {
    entity(of: type)?.entityDescription ?? NSEntityDescription()
  }

  private static func entity(of type: NSManagedObject.Type) -> CompiledEntity? {
    let name = type.__managedClassName
    return CompiledModel.last { model in
      model.entities.first { lastComponent(of: $0.className) == name }
    }
  }

  /// The entity that names a class, by the class's own name.
  static func entityIndex(of type: NSManagedObject.Type, in model: CompiledModel) -> Int? {
    let name = type.__managedClassName
    return model.entities.first { lastComponent(of: $0.className) == name }?.index
  }
}
