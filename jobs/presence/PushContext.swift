import BatonJobs
import Logging
import Presence
public import PresenceServer
import Synchronization

/// The context for jobs that notify members.
public struct PushContext: Sendable {
  private let news: any NewsSource
  private let push: (any Push)?

  /// Creates a context.
  ///
  /// If `push` is nil, no notifications are sent.
  public init(news: any NewsSource, push: (any Push)?) {
    self.news = news
    self.push = push
  }

  /// Sends a run's notification, with the run's id as the request's idempotency key.
  ///
  /// The idempotency key prevents a retry from sending a second notification.
  func tell<J: EffectJob>(
    of run: Run<J>, _ read: (any NewsSource) async throws -> News?
  ) async throws {
    guard let push else {
      if Self.isFirstSilence {
        run.logger.warning("WHOSTHERE_PUSH_URL is not set: no push is sent")
      }
      return
    }
    guard let news = try await read(news) else { return }
    try await push.send(news, idempotencyKey: "\(run.id)")
  }

  /// Returns true for the first call in a process, and false for all later ones.
  ///
  /// The warning that no notifications are sent is logged once per process.
  private static var isFirstSilence: Bool {
    isSilent.withLock { isSilent in
      defer { isSilent = true }
      return !isSilent
    }
  }

  private static let isSilent = Mutex(false)
}
