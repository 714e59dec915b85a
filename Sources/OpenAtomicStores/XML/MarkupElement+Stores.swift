import Foundation
import OpenObjectModel
import OpenStoreContract

extension MarkupElement {
  /// Reads a document, and passes on the elements inside its root, one by one.
  ///
  /// - Parameter body: Is given an element; returns false when no more are needed.
  /// - Throws: `StoreError` with code `.foreignFile` for a document with another root, `.corrupt` for one that is not
  ///   well-formed; what `body` throws.
  static func forEach(
    in data: Data, root: String, path: String,
    _ body: (MarkupElement) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var reader = try located(path) { () throws(MarkupFault) in
      try MarkupReader(data, root: root)
    }
    while let element = try located(path, { () throws(MarkupFault) in try reader.next() }) {
      if try !body(element) { return }
    }
  }

  private static func located<Result>(
    _ path: String, _ read: () throws(MarkupFault) -> Result
  ) throws(StoreError) -> Result {
    do {
      return try read()
    } catch {
      switch error.kind {
      case .foreign: throw StoreError(.foreignFile, error.message, path: path)
      case .damaged:
        throw StoreError(
          .corrupt, "\(error.message); the file is damaged. Restore a copy.", path: path)
      }
    }
  }
}
