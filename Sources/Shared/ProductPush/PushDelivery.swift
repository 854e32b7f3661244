package import BatonJobs
package import BatonPostgres
import Foundation
package import JobRunner
import Logging
import Synchronization

/// The statements that deliver push notifications of a product.
package struct PushStatements: Sendable {
  /// Reads the device, the content, and the decision whether the push is sent.
  let read: Statement
  /// Counts a push that is dropped because of its age.
  let countDropped: Statement
  /// Deletes a device that the push service no longer knows.
  let forgetDevice: Statement

  /// Creates a value from the statements.
  package init(read: Statement, countDropped: Statement, forgetDevice: Statement) {
    (self.read, self.countDropped, self.forgetDevice) = (read, countDropped, forgetDevice)
  }
}

/// The context of jobs that send push notifications to devices.
///
/// The content is read when the push is sent, so a late or repeated run never sends old content.
/// The run's fencing token guards the statements.
package struct PushDelivery: Sendable {
  private let effect: Effect
  private let statements: PushStatements
  private let senders: PushSenders

  /// Creates a context for one run.
  package init(_ effect: Effect, _ statements: PushStatements, senders: PushSenders) {
    (self.effect, self.statements, self.senders) = (effect, statements, senders)
  }

  /// Sends the push of a run, unless the push is obsolete.
  ///
  /// - Throws: `Snooze` during the quiet hours of the user, and the errors of the senders.
  package func deliver<J: EffectJob>(_ run: Run<J>) async throws where J.Key == PushKey {
    switch try await decision(run.key) {
    case nil, .drop?: return
    case .wait(let wait)?: throw Snooze(for: wait, reason: "quiet hours")
    case .send(let content, let device)?:
      guard let sender = senders[device.platform] else {
        return Self.warnOnce(of: device.platform, run.logger)
      }
      let outcome = try await sender.send(content, to: device, run: run.id)
      if case .unregistered(let since) = outcome { try await forget(device, since: since) }
    }
  }

  /// Reads the decision about a push, and counts the push if it is too old.
  private func decision(_ key: PushKey) async throws -> PushDecision? {
    let statements = self.statements
    return try await effect.transaction { transaction in
      let read = Call.rows(statements.read, key.device, key.subject) {
        (row) throws(PostgresError) in try row.pushDecision(for: key)
      }
      let found = try await transaction.run(read)
      if case .drop? = found.first { try await transaction.run(.run(statements.countDropped)) }
      return found.first
    }
  }

  private func forget(_ device: PushDevice, since: Date?) async throws {
    let statement = statements.forgetDevice
    let (id, token) = (device.id, device.token)
    let instant = since.map { Timestamp(clamping: $0) }
    try await effect.transaction { transaction in
      try await transaction.run(.run(statement, id, token.text, instant))
    }
  }

  /// Logs once per process and platform that no credentials are configured.
  private static func warnOnce(of platform: String, _ logger: Logger) {
    guard warned.withLock({ $0.insert(platform).inserted }) else { return }
    logger.warning("no credentials are configured for pushes to \(platform): no such push is sent")
  }

  private static let warned = Mutex<Set<String>>([])
}

/// The decision about a push.
private enum PushDecision: Sendable {
  case send(PushContent, PushDevice)
  /// The quiet hours of the user end after this time.
  case wait(Duration)
  /// The push is too old.
  case drop
}

extension Row {
  /// Decodes the columns that `read` selects, as `sql/challenges/pushes/read_push.sql` describes.
  fileprivate func pushDecision(for key: PushKey) throws(PostgresError) -> PushDecision {
    let (
      platform, environment, token, secret, locale, kind, title, body, group, ids, badge, decision,
      seconds
    ) = try decode(
      String.self, String.self, String.self, String?.self, String.self, String.self, String.self,
      String.self, String.self, String.self, Int32?.self, String.self, Int64.self)
    switch decision {
    case "send":
      let data = try? JSONDecoder().decode([String: String].self, from: Data(ids.utf8))
      return .send(
        PushContent(
          kind: kind, title: title, body: body, groupId: group, data: data ?? [:],
          badge: badge.map { Int($0) }, collapseID: "\(kind)/\(key.subject)",
          expiresAt: Date(timeIntervalSinceNow: Double(seconds))),
        PushDevice(
          id: key.device, platform: platform, isSandbox: environment == "sandbox", token: token,
          secret: secret, locale: locale))
    // The wait is at least one second, because a wait of zero would repeat the run immediately.
    case "wait": return .wait(.seconds(max(seconds, 1)))
    default: return .drop
    }
  }
}
