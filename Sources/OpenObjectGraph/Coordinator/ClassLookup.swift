internal import COpenRuntime
internal import Foundation
internal import OpenObjectModel

/// Finds the class that an entity names among the types of the process. Classes do not have to be
/// registered.
enum ClassLookup {
  /// Returns the class with a name such as "Forum" or "Module.Forum"; `NSManagedObject` if no class
  /// has the name.
  ///
  /// If the program does not have the module, the method looks for a single class with the rest of
  /// the name.
  ///
  /// - Throws: `ModelError` with code `.ambiguousClass` if several classes have the name.
  static func managedClass(named name: String) throws(ModelError) -> NSManagedObject.Type {
    let wanted = name.hasPrefix(".") ? String(name.dropFirst()) : name
    guard wanted != "NSManagedObject", !wanted.isEmpty else { return NSManagedObject.self }
    var candidates = candidates(wanted)
    if candidates.isEmpty, wanted.contains(".") {
      candidates = self.candidates(lastComponent(of: wanted))
    }
    if candidates.count > 1 {
      // A class that is nested in another one has more components than the name.
      let exact = candidates.filter { String(reflecting: $0) == wanted }
      guard exact.count == 1 else { throw ambiguous(wanted, candidates) }
      return exact[0]
    }
    guard let found = candidates.first else {
      GraphLog.missingClass(name)
      return NSManagedObject.self
    }
    return found
  }

  private static func ambiguous(
    _ name: String, _ candidates: [NSManagedObject.Type]
  ) -> ModelError {
    let names = candidates.map { String(reflecting: $0) }.sorted().joined(separator: ", ")
    return ModelError(
      .ambiguousClass,
      "Several classes have the name \(name): \(names). Include the module in the class name in the model, for example Module.Class."
    )
  }

  /// Returns the classes of entities, in the order of the entities.
  ///
  /// - Throws: `ModelError` with code `.ambiguousClass` and the entity's name if several classes
  ///   have the name.
  static func managedClasses(
    of entities: [CompiledEntity]
  ) throws(ModelError) -> [NSManagedObject.Type] {
    var classes: [NSManagedObject.Type] = []
    for entity in entities {
      do { classes.append(try managedClass(named: entity.className)) } catch {
        var error = error
        error.entityName = entity.name
        throw error
      }
    }
    return classes
  }

  /// Returns all subclasses of `NSManagedObject` with the given name.
  private static func candidates(_ name: String) -> [NSManagedObject.Type] {
    TypeRecords.classes(named: name).compactMap { $0 as? NSManagedObject.Type }
  }

  /// Returns the `NSCoding` class with the given name; nil if no class or more than one class has
  /// the name.
  static func codableClass(named name: String) -> AnyClass? {
    let found = TypeRecords.classes(named: name).filter { $0 is any NSCoding.Type }
    return found.count == 1 ? found[0] : nil
  }

  /// The registry of the built-in stores; nil in a program that does not link the built-in stores.
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

  /// Returns the name of the entity with the given class in the newest model in use that has such
  /// an entity.
  ///
  /// If no model has an entity with the class, the method returns the class's own name.
  static func entityName(of type: NSManagedObject.Type) -> String {
    entity(of: type)?.name ?? type.__managedClassName
  }

  /// Returns the description of the entity with the given class in the newest model in use that has
  /// such an entity.
  ///
  /// If no model has an entity with the class, the method returns an empty description.
  static func entityDescription(of type: NSManagedObject.Type) -> NSEntityDescription {
    entity(of: type)?.entityDescription ?? NSEntityDescription()
  }

  private static func entity(of type: NSManagedObject.Type) -> CompiledEntity? {
    let name = type.__managedClassName
    for match in ClassMatch.allCases {
      let found = CompiledModel.last { model in
        model.entities.first { match.holds($0, type, name) }
      }
      if let found { return found }
    }
    return nil
  }

  /// Returns the index of the entity that names a class, with or without the module of the class;
  /// nil if there is no such entity.
  static func entityIndex(of type: NSManagedObject.Type, in model: CompiledModel) -> Int? {
    let name = type.__managedClassName
    for match in ClassMatch.allCases {
      if let entity = model.entities.first(where: { match.holds($0, type, name) }) {
        return entity.index
      }
    }
    return nil
  }

  /// The ways in which an entity may name a class, from the most exact to the least exact.
  private enum ClassMatch: CaseIterable {
    /// The name includes the module or an enclosing type of the class.
    case qualified
    /// The name is only the class's own name.
    case plain
    /// The name includes a module or an enclosing type that the program does not have.
    case foreign

    func holds(_ entity: CompiledEntity, _ type: NSManagedObject.Type, _ name: String) -> Bool {
      guard entity.className.hasSuffix(name), lastComponent(of: entity.className) == name else {
        return false
      }
      let isPlain = !entity.className.dropFirst().contains(".")
      return switch self {
      case .qualified: !isPlain && encloses(entity.className, type)
      case .plain: isPlain
      case .foreign: true
      }
    }
  }

  /// Whether the module and the types that enclose a class include the leading components of a
  /// name, in order.
  private static func encloses(_ className: String, _ type: NSManagedObject.Type) -> Bool {
    var enclosing = String(reflecting: type).split(separator: ".").dropLast()
    for component in className.split(separator: ".").dropLast().reversed() {
      guard let place = enclosing.lastIndex(of: component) else { return false }
      enclosing = enclosing[..<place]
    }
    return true
  }
}

/// The compiled model of a coordinator and the classes of the model's entities.
struct ModelClasses {
  var model: CompiledModel
  var classes: [NSManagedObject.Type]
  var error: ModelError?

  init(_ model: NSManagedObjectModel, objectClass: NSManagedObject.Type?) {
    do throws(ModelError) {
      let compiled = try model.compiled()
      if let objectClass {
        classes = compiled.entities.map { _ in objectClass }
      } else {
        classes = try ClassLookup.managedClasses(of: compiled.entities)
      }
      self.model = compiled
    } catch {
      self.model = EmptyEntity.shared.model
      classes = self.model.entities.map { _ in NSManagedObject.self }
      self.error = error
    }
  }
}
