// Controllers of one result type as controllers of another. On Apple platforms a cast does this, because the type is not
// there at run time.

extension NSFetchedResultsController {
  /// Returns a controller with this result type for the results of another controller.
  ///
  /// The returned controller is the original controller if it has this result type, even if
  /// `controller` is the untyped controller that a delegate receives. Otherwise it is a new
  /// controller for the same results. The method is for code that the `ModelCodegen` plug-in
  /// rewrites. In handwritten code, use ``init(sharing:)``.
  ///
  /// - Parameter controller: The controller to convert.
  /// - Returns: The controller, or nil if the value is not a controller.
  public static func __recast(_ controller: Any?) -> NSFetchedResultsController<ResultType>? {
    if let controller = controller as? NSFetchedResultsController<ResultType> { return controller }
    guard let face = controller as? any ResultsFace else { return nil }
    if let owner = face.tracker.owner as? NSFetchedResultsController<ResultType> { return owner }
    return NSFetchedResultsController<ResultType>(face.tracker)
  }
}
