import BatonPostgres
import Foundation

/// The push services for which credentials are configured.
///
/// The credentials are in files, which are read when a token is made. Errors and logs contain the
/// paths of the credential files, but never their content.
package struct PushSenders: Sendable {
  /// The environment variables with the credentials and options.
  package static let variables = [
    "BATON_PUSH_APNS_KEY_FILE", "BATON_PUSH_APNS_KEY_ID", "BATON_PUSH_APNS_TEAM",
    "BATON_PUSH_APNS_TOPIC", "BATON_PUSH_APNS_URL", "BATON_PUSH_FCM_FILE", "BATON_PUSH_FCM_URL",
    "BATON_PUSH_WEBHOOKS",
  ]

  /// The push services configured by this process's environment.
  package static let ofEnvironment = PushSenders(ProcessInfo.processInfo.environment)

  private let senders: [String: any PushSender]

  /// Creates the push services configured by environment variables.
  ///
  /// - Parameter shortestUse: how long a new token is used, even if a service rejects it.
  package init(_ environment: [String: String], shortestUse: Duration = .seconds(60)) {
    #if HTTP
      senders = Self.senders(
        environment.filter { !$0.value.isEmpty }, shortestUse: shortestUse)
    #else
      senders = [:]
    #endif
  }

  /// The push service for a platform, or nil if no credentials are configured.
  subscript(_ platform: String) -> (any PushSender)? { senders[platform] }

  #if HTTP
    private static func senders(
      _ environment: [String: String], shortestUse: Duration
    ) -> [String: any PushSender] {
      var senders: [String: any PushSender] = [:]
      func file(_ name: String) -> PasswordFile? {
        environment[name].map { PasswordFile($0, namedBy: name, holds: "push credentials") }
      }
      if let keyFile = file("BATON_PUSH_APNS_KEY_FILE") {
        let names = ["BATON_PUSH_APNS_KEY_ID", "BATON_PUSH_APNS_TEAM", "BATON_PUSH_APNS_TOPIC"]
        let values = names.compactMap { environment[$0] }
        if values.count == names.count {
          senders["apns"] = APNsSender(
            keyFile: keyFile, keyID: values[0], team: values[1], topic: values[2],
            base: environment["BATON_PUSH_APNS_URL"], shortestUse: shortestUse)
        } else {
          senders["apns"] = MisconfiguredSender(
            "APNs", "one of \(names.joined(separator: ", ")) is not set: docs/reference/push.md")
        }
      }
      if let file = file("BATON_PUSH_FCM_FILE") {
        senders["fcm"] = FCMSender(
          file: file, base: environment["BATON_PUSH_FCM_URL"], shortestUse: shortestUse)
      }
      switch environment["BATON_PUSH_WEBHOOKS"] {
      case nil, "no"?: break
      case "yes"?: senders["webhook"] = WebhookSender(allowsPrivate: false)
      case "private"?: senders["webhook"] = WebhookSender(allowsPrivate: true)
      default:
        senders["webhook"] = MisconfiguredSender(
          "A webhook", "BATON_PUSH_WEBHOOKS is neither yes, no nor private")
      }
      return senders
    }
  #endif
}

/// A sender that throws the same configuration error for every push.
private struct MisconfiguredSender: PushSender {
  private let refused: PushRefused

  init(_ service: String, _ reason: String) { refused = PushRefused(service, reason) }

  func send(
    _ content: PushContent, to device: PushDevice, run: Int64
  ) async throws -> PushOutcome { throw refused }
}
