import SwiftSyntax

/// What the sources of a module, and those of the targets that it depends on, say of their types.
///
/// Types are known by their path, so that a nested class may have the name of a managed one.
struct ClassDeclarations {
  /// A class, or another name for one.
  struct Declaration: Hashable {
    let file: Int
    let path: [String]

    /// The name as sources write it.
    var name: String { path.joined(separator: ".") }
  }

  /// The types, once all sources have been read.
  struct Known {
    /// All types and types with extensions, by simple name.
    let names: Set<String>
    /// Modules whose names may stand before those of types.
    let modules: Set<String>
    fileprivate let managed: Set<Declaration>
    fileprivate let properties: [[String]: Set<String>]
    fileprivate let declarations: ClassDeclarations

    /// Whether a class is one whose objects a context manages.
    func isManaged(_ path: [String], inFile file: Int) -> Bool {
      managed.contains(Declaration(file: file, path: path))
    }

    /// The managed class that an extension extends; nil for other types.
    func managedClass(extendedAs path: [String], inFile file: Int) -> Declaration? {
      declarations.extendedType(path, from: file).flatMap { managed.contains($0) ? $0 : nil }
    }

    /// Whether all members of a class are declared to Objective-C.
    func isVisible(_ type: Declaration) -> Bool { declarations.visible.contains(type) }

    /// Whether a class is declared in the module itself.
    func isInModule(_ type: Declaration) -> Bool { type.file < declarations.moduleCount }

    /// Whether a type, or an extension of it, declares a property.
    func declares(_ property: String, in path: [String]) -> Bool {
      properties[path]?.contains(property) == true
    }
  }

  private var superclasses: [Declaration: [String]] = [:]
  private var files: [[String]: [Int]] = [:]
  private var withManagedMembers: [(file: Int, path: [String])] = []
  private var properties: [[String]: Set<String>] = [:]
  private var names: Set<String> = []
  private var visible: Set<Declaration> = []
  private var aliases: Set<Declaration> = []
  private var fileCount = 0
  /// How many of the files belong to the module; they come first.
  private var moduleCount = 0

  /// Ends the files of the module; what follows belongs to others.
  mutating func endModule() { moduleCount = fileCount }

  /// Notes the types and extensions of the next file.
  mutating func add(_ tree: SourceFileSyntax) {
    let collector = TypeCollector(viewMode: .sourceAccurate)
    collector.walk(tree)
    for type in collector.types {
      if let name = type.path.last { names.insert(name) }
      if type.hasManagedMembers { withManagedMembers.append((fileCount, type.path)) }
      properties[type.path, default: []].formUnion(type.properties)
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

  /// The classes that inherit from a managed one, or have managed properties, with their subclasses.
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

  /// The declaration that an extension extends, which may be named by an alias or after its module.
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

  /// What a name means where a class is declared: the innermost type of the name, or one after its module.
  private func resolve(_ name: [String], for declaration: Declaration) -> [Declaration] {
    for count in stride(from: declaration.path.count - 1, through: 0, by: -1) {
      let found = declarations(declaration.path.prefix(count) + name, from: declaration.file)
      if !found.isEmpty { return found }
    }
    return name.count > 1 ? declarations(Array(name.dropFirst()), from: declaration.file) : []
  }

  /// The declarations of a path: that of the same file, where there is one, because others may be private.
  private func declarations(_ path: some Sequence<String>, from file: Int) -> [Declaration] {
    let path = Array(path)
    let candidates = files[path] ?? []
    let chosen = candidates.contains(file) ? [file] : candidates
    return chosen.map { Declaration(file: $0, path: path) }
  }
}
