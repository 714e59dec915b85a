import SwiftSyntax

/// The access modifier that generated members of a type need, followed by a space.
enum AccessLevel {
  /// Returns the access modifier of a type's overrides and witnesses; empty if no modifier is
  /// necessary.
  ///
  /// - Parameter context: The declarations that enclose the type, innermost first. The members of
  ///   an extension have the access level of the extension.
  static func text(of declaration: some DeclGroupSyntax, in context: [Syntax]) -> String {
    if let level = declaration.modifiers.lazy.compactMap(Self.level).first { return level }
    guard let enclosing = context.first?.as(ExtensionDeclSyntax.self) else { return "" }
    return enclosing.modifiers.lazy.compactMap(Self.level).first ?? ""
  }

  /// All lower access levels do not need a modifier.
  private static func level(_ modifier: DeclModifierSyntax) -> String? {
    switch modifier.name.tokenKind {
    case .keyword(.open): "open "
    case .keyword(.public): "public "
    case .keyword(.package): "package "
    case .keyword(.internal), .keyword(.fileprivate), .keyword(.private):
      modifier.detail == nil ? "" : nil
    default: nil
    }
  }
}
