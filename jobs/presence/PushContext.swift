import BatonJobs
import Logging
import Presence
public import PresenceServer
import Synchronization

/// What jobs that tell members something work with.
public struct PushContext: Sendable {
  private let news: any NewsSource
  private let push: (any Push)?

  /// A context; without the other side nobody is told anything.
  public init(news: any NewsSource, push: (any Push)?) {
    self.news = news
    self.push = push
  }

  /// Tells members what there is to be told of a run, under its id: again it is the same news.
  func tell<J: EffectJob>(
    of run: Run<J>, _ read: (any NewsSource) async throws -> News?
  ) async throws {
    guard let push else {
      if Self.isFirstSilence { run.logger.warning("WHOSTHERE_PUSH_URL is not set: nobody is told") }
      return
    }
    guard let news = try await read(news) else { return }
    try await push.send(news, idempotencyKey: "\(run.id)")
  }

  /// Once a process: it is no news of a run.
  private static var isFirstSilence: Bool {
    isSilent.withLock { isSilent in
      defer { isSilent = true }
      return !isSilent
    }
  }

  private static let isSilent = Mutex(false)
}
