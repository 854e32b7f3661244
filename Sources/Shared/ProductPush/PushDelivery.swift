package import BatonJobs
package import BatonPostgres
import Foundation
package import JobRunner
import Logging
import Synchronization

/// The statements that deliver push notifications about one kind of subject.
package struct PushStatements: Sendable {
  /// The kind of the subject: `notification`, `message` or `arrival`.
  let subject: String
  /// Reads a push's device and content, and the decision whether to send, delay or drop the push.
  let read: Statement
  /// Counts a push that is dropped.
  let countDropped: Statement
  /// Deletes a device that the push service no longer recognizes.
  let forgetDevice: Statement

  /// Creates the list of statements.
  package init(
    subject: String, read: Statement, countDropped: Statement, forgetDevice: Statement
  ) {
    (self.subject, self.read) = (subject, read)
    (self.countDropped, self.forgetDevice) = (countDropped, forgetDevice)
  }
}

/// The context for jobs that send push notifications to devices.
///
/// The content is read when the push is sent, so a late or repeated run never sends old content.
/// The context's database writes take effect only while the run's fencing token is valid.
package struct PushDelivery: Sendable {
  private let effect: Effect
  private let statements: [PushStatements]
  private let senders: PushSenders

  /// Creates a context for one run.
  ///
  /// - Parameter statements: the statements for the job's kind of subject, such as `message`.
  ///   ``PushWebhook`` needs the statements for every kind of subject.
  package init(_ effect: Effect, _ statements: [PushStatements], senders: PushSenders) {
    (self.effect, self.statements, self.senders) = (effect, statements, senders)
  }

  /// Sends a run's push unless it is obsolete.
  ///
  /// For a webhook, the method enqueues a run of ``PushWebhook`` with this run's key.
  ///
  /// - Throws: `Snooze` during the user's quiet hours, and errors that the senders throw.
  package func deliver<J: EffectJob>(_ run: Run<J>) async throws where J.Key == PushKey {
    guard let statements = self.statements.first,
      let push = try await duePush(run.key, statements, run.logger)
    else { return }
    guard push.device.platform != "webhook" else {
      return try await handOver(run.key, statements.subject)
    }
    try await send(push, run: run.id, statements)
  }

  /// Sends a run's push to a webhook unless the push is obsolete.
  ///
  /// If the last attempt throws `RetryAfter`, the push is dropped and counted, and the run
  /// succeeds. An unavailable webhook does not fail the run, because the worker's operator cannot
  /// repair a user's server.
  ///
  /// - Throws: `Snooze` during the user's quiet hours, and errors that the sender throws.
  func deliver(toWebhook run: Run<PushWebhook>) async throws {
    let subject = run.payload.subject
    guard let statements = self.statements.first(where: { $0.subject == subject }) else {
      throw Permanent("the program has no pushes about \(subject)")
    }
    guard let push = try await duePush(run.key, statements, run.logger) else { return }
    do {
      try await send(push, run: run.id, statements)
    } catch is RetryAfter where run.attempt >= PushWebhook.attempts {
      try await countDropped(statements)
    }
  }

  /// A push that is due, and the service that sends it.
  private struct DuePush {
    let content: PushContent
    let device: PushDevice
    /// The time when the device was last registered before the push was read.
    let registeredAt: Timestamp
    let sender: any PushSender
  }

  /// Returns the push for a key, or nil if no push is to be sent.
  private func duePush(
    _ key: PushKey, _ statements: PushStatements, _ logger: Logger
  ) async throws -> DuePush? {
    switch try await decision(key, statements) {
    case nil, .drop?: return nil
    case .wait(let wait)?: throw Snooze(for: wait, reason: "quiet hours")
    case .send(let content, let device, registeredAt: let registeredAt)?:
      guard let sender = senders[device.platform] else {
        Self.warnOnce(of: device.platform, logger)
        return nil
      }
      return DuePush(
        content: content, device: device, registeredAt: registeredAt, sender: sender)
    }
  }

  private func send(
    _ push: DuePush, run: Int64, _ statements: PushStatements
  ) async throws {
    switch try await push.sender.send(push.content, to: push.device, run: run) {
    case .accepted: return
    case .unregistered(let since): try await forget(push, since: since, statements)
    case .refused: try await countDropped(statements)
    }
  }

  /// Enqueues the push to a webhook and completes this job's run in one transaction.
  ///
  /// Because both changes are in one transaction, a repeated run attempt can never enqueue the push
  /// again.
  private func handOver(_ key: PushKey, _ subject: String) async throws {
    let request = try RunRequest(PushWebhook(subject: subject), key: key)
    try await effect.transaction(endingRun: true) { transaction in
      _ = try await transaction.enqueue(request)
    }
  }

  private func countDropped(_ statements: PushStatements) async throws {
    let statement = statements.countDropped
    try await effect.transaction { transaction in
      try await transaction.run(.run(statement))
    }
  }

  /// Reads the decision about a push and the push's content, and counts a push that is too old.
  private func decision(
    _ key: PushKey, _ statements: PushStatements
  ) async throws -> PushDecision? {
    try await effect.transaction { transaction in
      let read = Call.rows(statements.read, key.device, key.subject) {
        (row) throws(PostgresError) in try row.pushDecision(for: key)
      }
      let found = try await transaction.run(read)
      if case .drop? = found.first { try await transaction.run(.run(statements.countDropped)) }
      return found.first
    }
  }

  /// Deletes a device unless it was registered again after the push was read.
  private func forget(
    _ push: DuePush, since: Date?, _ statements: PushStatements
  ) async throws {
    let (statement, device, registeredAt) = (
      statements.forgetDevice, push.device, push.registeredAt
    )
    let environment = device.isSandbox ? "sandbox" : "production"
    let instant = since.map { Timestamp(clamping: $0) }
    try await effect.transaction { transaction in
      try await transaction.run(
        .run(statement, device.id, device.token.text, environment, registeredAt, instant))
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
  case send(PushContent, PushDevice, registeredAt: Timestamp)
  /// The push must wait for this duration, until the user's quiet hours end.
  case wait(Duration)
  /// The push is too old.
  case drop
}

extension Row {
  /// Decodes the columns that `read` selects, as described in
  /// `sql/challenges/pushes/read_push.sql`.
  fileprivate func pushDecision(for key: PushKey) throws(PostgresError) -> PushDecision {
    let (
      platform, environment, token, secret, locale, kind, title, body, group, ids, badge, decision,
      seconds, registeredAt
    ) = try decode(
      String.self, String.self, String.self, String?.self, String.self, String.self, String.self,
      String.self, String.self, String.self, Int32?.self, String.self, Int64.self, Timestamp.self)
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
          secret: secret, locale: locale),
        registeredAt: registeredAt)
    // The wait is at least one second, because a wait of zero would repeat the run immediately.
    case "wait": return .wait(.seconds(max(seconds, 1)))
    default: return .drop
    }
  }
}
