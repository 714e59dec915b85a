// Controllers of one result type as controllers of another. On Apple platforms a cast does this,
// because the type is not there at run time.

extension NSFetchedResultsController {
  /// Returns a controller with this result type for the results of another controller.
  ///
  /// If `controller` already has this result type, the method returns `controller`. If `controller`
  /// is the untyped controller that a delegate receives, and the delegate's original controller has
  /// this result type, the method returns the original controller. Otherwise, the method returns a
  /// new controller for the results. The plug-in `ModelCodegen` generates calls to this method. In
  /// handwritten code, use ``init(sharing:)``.
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
