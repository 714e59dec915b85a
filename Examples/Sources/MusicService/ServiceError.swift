import CoreData
import KanoraCore
import OpenPersistenceKit
import OpenStoreContract

/// The reasons for which a request is refused.
enum ServiceError: Error {
  case badRequest(String)
  case notFound
  /// The object has changed since the client read it.
  case changed
  /// The service is about to end.
  case stopping
  /// The request is for a host name that is not one of the service's names.
  case foreignHost
  /// A page of another site requests a change.
  case foreignPage

  /// Returns the status and the sentence for an error of a request.
  static func answer(to error: any Error) -> (status: Int, message: String) {
    switch error {
    case ServiceError.badRequest(let message): (400, message)
    case ServiceError.notFound: (404, "There is no such object.")
    case ServiceError.changed:
      (412, "The object has changed since you read it. Read the object again.")
    case ServiceError.stopping: (503, "The service is stopping.")
    case ServiceError.foreignHost:
      (421, "The service has another name. Add the name with the option --host.")
    case ServiceError.foreignPage: (403, "Pages of other sites cannot change tracks.")
    case let error as KanoraError where error.code == .badValue: (400, error.message)
    case is DecodingError: (400, "The body is not the JSON that this path expects.")
    default: storeAnswer(to: error)
    }
  }

  /// Returns the status and the sentence for an error of the store. The error may contain the address of the server, which clients must
  /// not see.
  private static func storeAnswer(to error: any Error) -> (status: Int, message: String) {
    switch ((error as NSError).userInfo[OpenStoreErrorKey] as? StoreError)?.code {
    case .unreachable, .locked: return (503, "The database cannot be reached.")
    case .outcomeUnknown:
      return (504, "The database did not answer. The change may have been saved.")
    default: break
    }
    switch ErrorKind(error) {
    case .validation, .missingValue: return (422, error.localizedDescription)
    case .conflict, .locking:
      return (503, "Too many requests are changing the object. Try again later.")
    default: return (500, "The request failed.")
    }
  }
}
