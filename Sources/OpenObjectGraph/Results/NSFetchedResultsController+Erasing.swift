// Controllers of one result type as controllers of another. On Apple platforms a cast does this, because the type is not
// there at run time.

extension NSFetchedResultsController {
  /// Returns a controller with this result type for the results of another controller.
  ///
  /// The method returns `controller` if it has this result type. If `controller` is the untyped
  /// controller that a delegate receives, and the controller that it represents has this result
  /// type, the method returns the represented controller. Otherwise, the method returns a new
  /// controller for the results. The method is for code that the `ModelCodegen` plug-in rewrites.
  /// In handwritten code, use ``init(sharing:)``.
  ///
  /// - Parameter controller: The controller to convert.
  /// - Returns: The controller; nil if `controller` is not a fetched results controller.
  public static func __recast(_ controller: Any?) -> NSFetchedResultsController<ResultType>? {
    if let controller = controller as? NSFetchedResultsController<ResultType> { return controller }
    guard let face = controller as? any ResultsFace else { return nil }
    if let owner = face.tracker.owner as? NSFetchedResultsController<ResultType> { return owner }
    return NSFetchedResultsController<ResultType>(face.tracker)
  }
}
