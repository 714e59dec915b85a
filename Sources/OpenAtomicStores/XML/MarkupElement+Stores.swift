import Foundation
import OpenObjectModel
import OpenStoreContract

extension MarkupElement {
  /// Reads a document, and calls `body` with each element inside the root element.
  ///
  /// - Parameter body: A closure that receives an element, and returns false if no more elements
  ///   are needed.
  /// - Throws: `StoreError` with code `.foreignFile` if the document has another root element, or
  ///   with code `.corrupt` if the document is not well-formed; the error that `body` throws.
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
          .corrupt, "\(error.message). The store file is damaged. Restore a backup.", path: path)
      }
    }
  }
}
