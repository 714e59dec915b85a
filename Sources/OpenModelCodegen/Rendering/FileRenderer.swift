/// Renders the file that contains the classes of one model.
enum FileRenderer {
  /// Returns the contents of the file.
  static func text(
    of plan: ClassPlan, modelName: String, _ form: ModelCodegen.Form
  ) -> String {
    let name = modelName.filter { $0.isLetter || $0.isNumber || " _-+.".contains($0) }
    let header =
      "// Generated from the model \(name). Changes are lost when the model is built again.\n"
    if plan.classes.isEmpty {
      return header + "// Source is not generated for any entity of the model.\n"
    }
    let classes = plan.classes.map {
      ClassRenderer(managedClass: $0, names: plan.names, form: form).text
    }
    // The module `CoreData` exports Foundation, `OpenCoreData` does not.
    let use = FoundationUse(besides: plan.names.hidden)
    let needsFoundation = form == .expanded && plan.classes.contains(where: use.isIn)
    let imports = (needsFoundation ? ["Foundation"] : []) + [form.module]
    let lines = imports.map { "public import \($0)\n" }.joined()
    return header + "\n" + lines + "\n" + classes.joined(separator: "\n")
  }
}
