import SwiftSyntax

/// The types that are declared in the sources of a module and of the targets that the module
/// depends on.
///
/// A type is identified by its path, because a nested class may have the same name as a managed
/// class.
struct ClassDeclarations {
  /// A class, or a type alias for a class.
  struct Declaration: Hashable {
    let file: Int
    let path: [String]

    /// The name as written in sources.
    var name: String { path.joined(separator: ".") }
  }

  /// The information about the types after all sources have been read.
  struct Known {
    /// The simple names of all declared types and of all types with extensions.
    let names: Set<String>
    /// The modules whose names may precede the names of types.
    let modules: Set<String>
    fileprivate let managed: Set<Declaration>
    fileprivate let properties: [[String]: [String: TypeCollector.Property]]
    fileprivate let declarations: ClassDeclarations

    /// Returns whether a class is a subclass of `NSManagedObject`.
    func isManaged(_ path: [String], inFile file: Int) -> Bool {
      managed.contains(Declaration(file: file, path: path))
    }

    /// Returns the managed class that an extension extends; nil if the extended type is not a
    /// managed class.
    func managedClass(extendedAs path: [String], inFile file: Int) -> Declaration? {
      declarations.extendedType(path, from: file).flatMap { managed.contains($0) ? $0 : nil }
    }

    /// Returns whether a class has the attribute `@objcMembers`.
    func isVisible(_ type: Declaration) -> Bool { declarations.visible.contains(type) }

    /// Returns whether a class is declared in the module itself.
    func isInModule(_ type: Declaration) -> Bool { type.file < declarations.moduleCount }

    /// Returns whether a type or one of its extensions declares a property.
    func declares(_ property: String, in path: [String]) -> Bool {
      properties[path]?[property] != nil
    }

    /// Returns the keys of the properties in a key path. A property whose declaration is unknown
    /// has its Swift name as the key.
    ///
    /// - Parameters:
    ///   - names: The names of the properties in Swift.
    ///   - type: The names of the type at the beginning of the key path; empty for the innermost
    ///     type of the scope.
    ///   - scope: The names of the types and code blocks around the key path.
    func keys(of names: [String], in type: [String], scope: [String]) -> [String] {
      let enclosing = Array(scope.prefix { !$0.hasPrefix("{") })
      var current: [String]? = enclosing
      if !type.isEmpty { current = declarations.path(of: type, in: enclosing) }
      return names.map { name in
        guard let path = current, let found = declarations.property(name, of: path) else {
          current = nil
          return name
        }
        current = found.property.type.flatMap { declarations.path(of: $0, in: found.path) }
        return found.property.key ?? name
      }
    }
  }

  private var superclasses: [Declaration: [String]] = [:]
  private var files: [[String]: [Int]] = [:]
  private var withManagedMembers: [(file: Int, path: [String])] = []
  private var properties: [[String]: [String: TypeCollector.Property]] = [:]
  private var names: Set<String> = []
  private var visible: Set<Declaration> = []
  private var aliases: Set<Declaration> = []
  private var fileCount = 0
  /// The number of files that belong to the module. These files precede the files of other modules.
  private var moduleCount = 0

  /// Marks the end of the module's files. All files added after this call belong to other modules.
  mutating func endModule() { moduleCount = fileCount }

  /// Adds the types and extensions of the next file.
  mutating func add(_ tree: SourceFileSyntax) {
    let collector = TypeCollector(viewMode: .sourceAccurate)
    collector.walk(tree)
    for type in collector.types {
      if let name = type.path.last { names.insert(name) }
      if type.hasManagedMembers { withManagedMembers.append((fileCount, type.path)) }
      properties[type.path, default: [:]].merge(type.properties) { first, _ in first }
      guard let superclass = type.superclass else { continue }
      let declaration = Declaration(file: fileCount, path: type.path)
      if type.isVisible { visible.insert(declaration) }
      if type.isAlias { aliases.insert(declaration) }
      if superclasses.updateValue(superclass, forKey: declaration) == nil {
        files[type.path, default: []].append(fileCount)
      }
    }
    fileCount += 1
  }

  /// Returns the information about all types, including all managed classes.
  ///
  /// A class is managed if it inherits from a managed class or has managed properties.
  func resolved(modules: Set<String>) -> Known {
    var managed: Set<Declaration> = []
    for (file, path) in withManagedMembers {
      let found = declarations(path, from: file)
      // The name of an extended type may begin with its module.
      managed.formUnion(found.isEmpty ? declarations(path.dropFirst(), from: file) : found)
    }
    var subclasses: [Declaration: [Declaration]] = [:]
    for (declaration, superclass) in superclasses where !superclass.isEmpty {
      let found = resolve(superclass, for: declaration)
      if found.isEmpty, superclass.last == "NSManagedObject" { managed.insert(declaration) }
      for parent in found where parent != declaration {
        subclasses[parent, default: []].append(declaration)
      }
    }
    var waiting = Array(managed)
    while let parent = waiting.popLast() {
      for subclass in subclasses[parent] ?? [] where managed.insert(subclass).inserted {
        waiting.append(subclass)
      }
    }
    return Known(
      names: names, modules: modules, managed: managed, properties: properties, declarations: self)
  }

  /// Returns the declaration that an extension extends. The extension may refer to the type by an
  /// alias or with the module's name.
  private func extendedType(_ path: [String], from file: Int) -> Declaration? {
    let found = declarations(path, from: file)
    var type = found.first ?? declarations(path.dropFirst(), from: file).first
    var steps = 0
    while let alias = type, aliases.contains(alias), steps < 16 {
      type = superclasses[alias].flatMap { resolve($0, for: alias).first }
      steps += 1
    }
    return type
  }

  /// Returns the path of the type that a name refers to in a scope; nil if no source declares the
  /// type.
  private func path(of name: [String], in scope: [String]) -> [String]? {
    for count in stride(from: scope.count, through: 0, by: -1) {
      let path = scope.prefix(count) + name
      if properties[Array(path)] != nil { return Array(path) }
    }
    let unqualified = Array(name.dropFirst())  // The name may begin with a module.
    return properties[unqualified] == nil ? nil : unqualified
  }

  /// Returns a property of a type or of one of its superclasses, with the path of the type that
  /// declares the property.
  private func property(
    _ name: String, of path: [String]
  ) -> (property: TypeCollector.Property, path: [String])? {
    var current = path
    for _ in 0..<64 {
      if let property = properties[current]?[name] { return (property, current) }
      guard let file = files[current]?.first else { return nil }
      let type = Declaration(file: file, path: current)
      guard let superclass = superclasses[type].flatMap({ resolve($0, for: type).first }) else {
        return nil
      }
      current = superclass.path
    }
    return nil
  }

  /// Returns the declarations that a name refers to in the scope of a class: those of the innermost
  /// scope, or those of a module.
  private func resolve(_ name: [String], for declaration: Declaration) -> [Declaration] {
    for count in stride(from: declaration.path.count - 1, through: 0, by: -1) {
      let found = declarations(declaration.path.prefix(count) + name, from: declaration.file)
      if !found.isEmpty { return found }
    }
    return name.count > 1 ? declarations(Array(name.dropFirst()), from: declaration.file) : []
  }

  /// Returns the declarations with a path. A declaration in the same file takes precedence, because
  /// declarations in other files may be private.
  private func declarations(_ path: some Sequence<String>, from file: Int) -> [Declaration] {
    let path = Array(path)
    let candidates = files[path] ?? []
    let chosen = candidates.contains(file) ? [file] : candidates
    return chosen.map { Declaration(file: $0, path: path) }
  }
}
