// Controllers of one result type as controllers of another. On Apple platforms a cast does this, because the type is not
// there at run time.

extension NSFetchedResultsController {
  /// The controller with this result type for the same results; nil if the value is not a controller.
  ///
  /// It is the original controller if that has the type, including for the untyped controller that a delegate receives;
  /// otherwise a new controller for the same results. For sources that the plug-in `ModelCodegen` rewrites; in
  /// handwritten code use ``init(sharing:)``.
  public static func __recast(_ controller: Any?) -> NSFetchedResultsController<ResultType>? {
    if let controller = controller as? NSFetchedResultsController<ResultType> { return controller }
    guard let face = controller as? any ResultsFace else { return nil }
    if let owner = face.tracker.owner as? NSFetchedResultsController<ResultType> { return owner }
    return NSFetchedResultsController<ResultType>(face.tracker)
  }
}
