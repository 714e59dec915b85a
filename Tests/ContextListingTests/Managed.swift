import CoreData
import Foundation

/// The log that the listings leave to the app.
struct Logger {
  func error(_ message: String) { print(message) }
  func warning(_ message: String) { print(message) }
}

let logger = Logger()

protocol Managed: NSFetchRequestResult {}

// Managed.swift - Fault-aware fetching
extension Managed where Self: NSManagedObject {
  static func fetch(
    in context: NSManagedObjectContext,
    configurationBlock: (NSFetchRequest<Self>) -> Void = { _ in }
  ) -> [Self] {
    // A typed request needs no cast here; types are not erased.
    let request: NSFetchRequest<Self> = fetchRequest()

    // Configure fetch request
    configurationBlock(request)

    // Set fault handling behavior
    request.returnsObjectsAsFaults = true
    request.includesSubentities = false

    do {
      return try context.fetch(request)
    } catch {
      logger.error("Fetch failed: \(error)")
      return []
    }
  }

  static func insert(into context: NSManagedObjectContext) -> Self { Self(context: context) }
}

extension Array {
  func chunked(into size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

/// The pool of Apple systems, which Linux does not need.
func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

// UpsertBatch.swift - Efficient bulk operations
class UpsertBatch<T: NSManagedObject & Managed> {
  private let context: NSManagedObjectContext
  private let idKeyPath: ReferenceWritableKeyPath<T, String>
  private var objects: [String: T]

  init(
    in context: NSManagedObjectContext, identifiedBy keyPath: ReferenceWritableKeyPath<T, String>,
    identifiers: [String]
  ) {
    self.context = context
    self.idKeyPath = keyPath

    // Pre-fetch existing objects to avoid duplicates
    let name = NSExpression(forKeyPath: keyPath).keyPath
    objects = .init(
      uniqueKeysWithValues:
        T.fetch(in: context) {
          $0.predicate = .init(format: "%K IN %@", name, identifiers)
          $0.returnsObjectsAsFaults = false
        }.map { ($0[keyPath: keyPath], $0) }
    )
  }

  subscript(_ id: String) -> T {
    if let object = objects[id] {
      return object
    } else {
      let object = T.insert(into: context)
      object[keyPath: idKeyPath] = id
      objects[id] = object
      return object
    }
  }
}
