import SwiftSyntax

/// An evaluator for `#if` conditions whose values are known before compilation.
enum PlatformCondition {
  /// Modules of Apple platforms whose names no other module is likely to have.
  private static let absentModules: Set<String> = [
    "ARKit", "AVFAudio", "AVFoundation", "AVKit", "Accelerate", "AppIntents", "AppKit",
    "AudioToolbox", "AuthenticationServices", "BackgroundTasks", "CallKit", "CarPlay", "CloudKit",
    "Cocoa", "Combine", "ContactsUI", "CoreAudio", "CoreBluetooth", "CoreGraphics", "CoreHaptics",
    "CoreImage", "CoreLocation", "CoreLocationUI", "CoreML", "CoreMedia", "CoreMotion",
    "CoreServices", "CoreSpotlight", "CoreTelephony", "CoreText", "CoreTransferable", "CoreVideo",
    "CryptoKit", "Darwin", "DeviceCheck", "EventKit", "EventKitUI", "FileProvider", "GameKit",
    "GameplayKit", "HealthKit", "HomeKit", "IOKit", "ImageIO", "Intents", "IntentsUI",
    "LinkPresentation", "LocalAuthentication", "MapKit", "MediaPlayer", "MessageUI", "MetalKit",
    "MobileCoreServices", "MultipeerConnectivity", "MusicKit", "NaturalLanguage",
    "NetworkExtension", "OSLog", "ObjectiveC", "PDFKit", "PassKit", "PencilKit", "PhotosUI",
    "PushKit", "QuartzCore", "QuickLook", "RealityKit", "ReplayKit", "SafariServices", "SceneKit",
    "SpriteKit", "StoreKit", "SwiftUI", "SystemConfiguration", "TipKit", "UIKit",
    "UniformTypeIdentifiers", "UserNotifications", "UserNotificationsUI", "VisionKit",
    "WatchConnectivity", "WatchKit", "WeatherKit", "WebKit", "WidgetKit", "os",
  ]
  private static let presentModules: Set<String> = ["CoreData", "Dispatch", "Foundation", "Glibc"]

  /// Returns whether a node is compiled; nil if the result depends on conditions of the build.
  static func isActive(_ node: some SyntaxProtocol) -> Bool? {
    node.enclosingClauses.reduce(true) { and($0, isActive($1)) }
  }

  private static func isActive(_ clause: IfConfigClauseSyntax) -> Bool? {
    let clauses = Array(clause.parent?.as(IfConfigClauseListSyntax.self) ?? [])
    let earlier = clauses.prefix { $0.id != clause.id }.map { not(value($0.condition)) }
    return earlier.reduce(clause.condition.map { value($0) } ?? true, and)
  }

  private static func value(_ condition: ExprSyntax?) -> Bool? {
    guard let condition else { return true }
    if let literal = condition.as(BooleanLiteralExprSyntax.self) {
      return literal.literal.tokenKind == .keyword(.true)
    }
    if let negated = condition.as(PrefixOperatorExprSyntax.self), negated.operator.text == "!" {
      return not(value(negated.expression))
    }
    if let tuple = condition.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      return value(tuple.elements.first?.expression)
    }
    if let sequence = condition.as(SequenceExprSyntax.self) { return value(sequence) }
    return condition.as(FunctionCallExprSyntax.self).flatMap { value(ofCall: $0) }
  }

  /// Evaluates a sequence of operands, in which `||` has a lower precedence than `&&`.
  private static func value(_ sequence: SequenceExprSyntax) -> Bool? {
    var alternatives: [Bool?] = []
    var current: Bool? = true
    for element in sequence.elements {
      switch element.as(BinaryOperatorExprSyntax.self)?.operator.text {
      case "||":
        alternatives.append(current)
        current = true
      case nil: current = and(current, value(element))
      default: continue
      }
    }
    return not((alternatives + [current]).map(not).reduce(true, and))
  }

  private static func value(ofCall call: FunctionCallExprSyntax) -> Bool? {
    let argument = call.arguments.first?.expression.trimmedDescription ?? ""
    switch call.calledExpression.trimmedDescription {
    case "os": return argument == "Linux"
    case "targetEnvironment": return false
    case "canImport":
      return absentModules.contains(argument)
        ? false : presentModules.contains(argument) ? true : nil
    default: return nil
    }
  }

  private static func not(_ value: Bool?) -> Bool? { value.map { !$0 } }

  private static func and(_ one: Bool?, _ other: Bool?) -> Bool? {
    if one == false || other == false { return false }
    return one == nil || other == nil ? nil : true
  }
}
