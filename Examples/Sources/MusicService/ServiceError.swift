import CoreData
import OpenPersistenceKit
import OpenStoreContract

/// What a request cannot have, with the status that its answer gets.
enum ServiceError: Error {
  case badRequest(String)
  case notFound
  /// The object has changed since the client has read it.
  case changed
  /// The service is about to end.
  case stopping

  /// Returns the status and the sentence for an error of a request.
  static func answer(to error: any Error) -> (status: Int, message: String) {
    switch error {
    case ServiceError.badRequest(let message): (400, message)
    case ServiceError.notFound: (404, "There is no such object.")
    case ServiceError.changed: (412, "The object has changed. Read it again.")
    case ServiceError.stopping: (503, "The service is stopping.")
    case is DecodingError: (400, "The body is not the JSON that this path takes.")
    default: storeAnswer(to: error)
    }
  }

  /// A store that cannot be reached is a matter of time; the client tries again. Errors of stores contain no values, but may contain the
  /// address of the server, which clients need not know.
  private static func storeAnswer(to error: any Error) -> (status: Int, message: String) {
    let codes: [StoreError.Code] = [.unreachable, .outcomeUnknown, .locked]
    let cause = (error as NSError).userInfo[OpenStoreErrorKey] as? StoreError
    if let cause, codes.contains(cause.code) { return (503, "The database cannot be reached.") }
    switch ErrorKind(error) {
    case .validation, .missingValue: return (422, error.localizedDescription)
    case .conflict, .locking: return (503, "Too many requests change the object.")
    default: return (500, "The request failed.")
    }
  }
}
