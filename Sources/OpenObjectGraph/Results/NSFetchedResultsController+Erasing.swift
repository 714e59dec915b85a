// Controllers of one result type as controllers of another. On Apple platforms a cast does this, because the type is not
// there at run time.

extension NSFetchedResultsController {
  /// The controller with this result type that shows the same results; nil for anything but a controller.
  ///
  /// It is the controller that was made where that has the type, also for the face that a delegate was given; else
  /// another face of the same results. For sources that the plug-in `ModelCodegen` rewrote; write
  /// ``init(sharing:)`` by hand.
  public static func __recast(_ controller: Any?) -> NSFetchedResultsController<ResultType>? {
    if let controller = controller as? NSFetchedResultsController<ResultType> { return controller }
    guard let face = controller as? any ResultsFace else { return nil }
    if let owner = face.tracker.owner as? NSFetchedResultsController<ResultType> { return owner }
    return NSFetchedResultsController<ResultType>(face.tracker)
  }
}
