import SwiftSyntax

/// The access level that generated members of a type need, as a modifier followed by a space.
enum AccessLevel {
  /// The level of a type's overrides and witnesses; empty where it is implied.
  ///
  /// - Parameter context: What encloses the type, innermost first. An extension gives its level to its members.
  static func text(of declaration: some DeclGroupSyntax, in context: [Syntax]) -> String {
    if let level = declaration.modifiers.lazy.compactMap(Self.level).first { return level }
    guard let enclosing = context.first?.as(ExtensionDeclSyntax.self) else { return "" }
    return enclosing.modifiers.lazy.compactMap(Self.level).first ?? ""
  }

  /// Lower levels than these need no modifier.
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
