package import BatonPostgres
package import Foundation

/// The content of a push notification to one device.
package struct PushContent: Sendable {
  /// The kind of the event, such as `rank_change`, which determines the screen that an app opens.
  package let kind: String
  /// The title, which is the name of the group.
  package let title: String
  /// The text.
  package let body: String
  /// The group's id, which a phone uses to group notifications.
  package let groupId: String
  /// Additional ids, such as the id of the notification.
  package let data: [String: String]
  /// The number on the app's icon, or nil to leave it unchanged.
  package let badge: Int?
  /// The id, up to 64 bytes long, that lets a later push replace this one on the phone.
  package let collapseID: String
  /// The time after which the push service must not deliver the push.
  package let expiresAt: Date

  /// Creates the content of a push, with the title and the text shortened to a size that every
  /// service accepts.
  package init(
    kind: String, title: String, body: String, groupId: String, data: [String: String],
    badge: Int?, collapseID: String, expiresAt: Date
  ) {
    self.kind = kind
    self.title = Self.shortened(title, to: 200)
    self.body = Self.shortened(body, to: 1_000)
    (self.groupId, self.data, self.badge) = (groupId, data, badge)
    (self.collapseID, self.expiresAt) = (Self.shortened(collapseID, to: 64), expiresAt)
  }

  /// Returns the longest prefix of a text that is at most `most` bytes long.
  ///
  /// APNs rejects a payload of more than 4,096 bytes. Each control character counts as six bytes,
  /// which is its maximum size in JSON.
  private static func shortened(_ text: String, to most: Int) -> String {
    guard size(of: text) > most else { return text }
    var (end, bytes) = (text.startIndex, 0)
    while end < text.endIndex {
      let next = text.index(after: end)
      bytes += size(of: text[end..<next])
      guard bytes <= most - 3 else { break }
      end = next
    }
    return String(text[..<end]) + "…"
  }

  private static func size(of text: some StringProtocol) -> Int {
    text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : 1) }
  }
}

/// A device that receives push notifications.
///
/// The token and the secret are printed as `***`.
package struct PushDevice: Sendable {
  /// The id of the device's row.
  package let id: Int64
  /// The push service: `apns`, `fcm` or `webhook`.
  package let platform: String
  /// Whether the token belongs to a development build, which only the APNs sandbox accepts.
  package let isSandbox: Bool
  /// The token, or the URL of a webhook.
  package let token: Secret
  /// The key for a webhook's signatures, or nil for other devices.
  package let secret: Secret?
  /// The language tag that the app registered, such as `pt-BR`.
  package let locale: String

  /// Creates a device.
  package init(
    id: Int64, platform: String, isSandbox: Bool = false, token: String, secret: String? = nil,
    locale: String = "en"
  ) {
    (self.id, self.platform, self.isSandbox) = (id, platform, isSandbox)
    (self.token, self.secret) = (Secret(token), secret.map { Secret($0) })
    self.locale = locale
  }
}

/// A service that delivers push notifications to devices of one platform.
package protocol PushSender: Sendable {
  /// Sends a push notification.
  ///
  /// - Parameter run: the id of the run, which is the same across all attempts.
  /// - Throws: `Permanent` if no further attempts can succeed. `RetryAfter` if the service
  ///   specifies the time of the next attempt. Any other error if the service did not accept the
  ///   push.
  func send(_ content: PushContent, to device: PushDevice, run: Int64) async throws -> PushOutcome
}

/// The response from a push service.
package enum PushOutcome: Sendable, Equatable {
  /// The service accepted the push.
  case accepted
  /// The service rejects the token. Some services report the time since which the token has been
  /// invalid.
  case unregistered(since: Date?)
  /// The service refuses this push.
  ///
  /// A repeated request would also fail, and the operator cannot fix the cause.
  case refused
}

/// The error for a push that a service temporarily refuses.
///
/// The description contains neither tokens nor credentials.
package struct PushRefused: Error, CustomStringConvertible {
  package let description: String

  /// Creates an error from the service's name and the reason.
  package init(_ service: String, _ reason: String) {
    description = "\(service) did not accept the push: \(reason)"
  }
}
