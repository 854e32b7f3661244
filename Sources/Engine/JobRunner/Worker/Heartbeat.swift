import BatonJobs
import BatonPostgres
import Logging
import Synchronization

/// Sends a worker's heartbeats and reads requested cancellations, on a separate connection.
///
/// The connection has its own thread and no other use, so the worker's folds, claims, locks and
/// blocking jobs do not delay heartbeats. If a worker dies during a statement, the server process
/// that is executing it ends only after the statement. The heartbeat connection executes only
/// short statements, so its server process ends immediately after the worker dies.
final class Heartbeat: Sendable {
  /// The pause between two heartbeats.
  ///
  /// If the server does not respond, the heartbeat connection is closed after a timeout of 10 s.
  /// The worker's lease lasts 13 s, longer than the pause of 2 s plus the timeout of 10 s. After
  /// the timeout, a heartbeat on a new connection can still extend the worker's lease.
  static let pace = Duration.seconds(2)
  /// The maximum time to wait for the response to a heartbeat, as for unacknowledged packets.
  private static let longestAnswer = Duration.seconds(10)
  /// The pause between two passes, which search for cancellations and lost responses.
  private static let pause = Duration.seconds(1)

  private let registration: Registration
  private let link: ReconnectingSession
  private let sending = Mutex<Task<Void, Never>?>(nil)
  private let isClosed = Mutex(false)

  private var worker: WorkerContext { registration.worker }

  init(of registration: Registration) {
    self.registration = registration
    link = registration.control.another(longestAnswer: Self.longestAnswer)
  }

  /// Starts sending heartbeats after a delay.
  ///
  /// The first heartbeat registers the worker on the heartbeat connection. Until then, the worker
  /// is registered on the dispatcher's connection. If the heartbeat connection cannot be opened,
  /// the worker stays registered there. The heartbeat connection is not opened if ``stop()`` is
  /// called before the delay ends.
  func start(after delay: Duration = .zero) {
    let task = Task(executorPreference: link.startedThread) {
      if delay > .zero {
        guard (try? await Task.sleep(for: delay)) != nil else { return }
      }
      await self.send()
      if self.isClosed.withLock({ $0 }) { await self.link.close() }
    }
    sending.withLock { $0 = task }
  }

  /// Runs `body`, and sends heartbeats if `body` takes longer than 1 s.
  ///
  /// - Throws: any error that `body` throws.
  func around<R>(_ body: () async throws -> R) async throws -> R {
    start(after: .seconds(1))
    do {
      let result = try await body()
      await stop()
      return result
    } catch {
      await stop()
      throw error
    }
  }

  /// Stops sending heartbeats, and waits for the last heartbeat.
  ///
  /// The heartbeat connection remains open until ``close()``, so that the worker does not appear to
  /// be dead. The next drain first registers the worker on the drainer's connection.
  func stop() async {
    let task = sending.withLock { task in
      defer { task = nil }
      return task
    }
    task?.cancel()
    // The cancelled task does not send any more statements, so the method waits at most 1 s for it
    // to end. If the task is connecting to an unresponsive server, it ends only after 5 s.
    let (ended, end) = AsyncStream<Void>.makeStream()
    Task {
      await task?.value
      end.finish()
    }
    let limit = Task {
      try? await Task.sleep(for: .seconds(1))
      end.finish()
    }
    for await _ in ended {}
    limit.cancel()
    registration.isBeating = false
  }

  /// Closes the connection.
  ///
  /// Before this call, the worker must be unregistered, or registered on another connection.
  func close() async {
    isClosed.withLock { $0 = true }
    await link.close()
  }

  // MARK: Sending

  private func send() async {
    var pause = ReconnectPause(upTo: .seconds(2))
    while !Task.isCancelled {
      if await beat() {
        pause.reset()
        await listen()
      } else {
        try? await Task.sleep(for: pause.next())
      }
    }
  }

  /// Sends a heartbeat if one is due, and handles requested cancellations.
  ///
  /// - Returns: false after an error.
  private func beat() async -> Bool {
    do {
      let session = try await link.session()
      // A worker that stopped during the login must not be registered again.
      guard !Task.isCancelled else { return true }
      if worker.dispatcher.isStuck(isWaiting: registration.control.isWaiting) {
        worker.failures.note(
          "the dispatcher has stopped, so no heartbeats are sent", with: worker.logger)
      } else {
        // While `isBeating` is true, the dispatcher does not register the worker on its own
        // connection.
        registration.isBeating = true
        try await registration.beat(on: session)
        await registration.storeFailures(on: session)
      }
      await endCancelled(on: session)
      await abortUnanswered(on: session)
      return true
    } catch {
      lose()
      worker.failures.note(error, "cannot send heartbeats", with: worker.logger)
      return false
    }
  }

  /// Closes the worker's connections whose response was lost, for example after a failover.
  ///
  /// Errors are only logged, because the heartbeat has already succeeded.
  private func abortUnanswered(on session: Session) async {
    do {
      let count = try await registration.control.registry.abortUnanswered(on: session)
      guard count > 0 else { return }
      worker.logger.warning(
        "closed \(counted(count, "connection")) whose statement no longer runs on the server")
    } catch {
      worker.failures.note(error, "cannot check for lost responses", with: worker.logger)
    }
  }

  /// Cancels the attempts whose cancellation was requested.
  ///
  /// If no work can be cancelled, the method sends no statement. Errors are only logged, because a
  /// locked table must not prevent heartbeats.
  private func endCancelled(on session: Session) async {
    guard !worker.inHand.isEmpty else { return }
    do {
      try await registration.endCancelled(Queue(session), patience: .milliseconds(500))
    } catch {
      worker.failures.note(error, "cannot read cancellations", with: worker.logger)
    }
  }

  /// Waits until the next search for cancellations is due, or until the connection is lost.
  ///
  /// The method waits on the thread of the heartbeat connection, not with a timer. A timer needs a
  /// thread from the cooperative pool, so it could be late if other code occupies the pool.
  private func listen() async {
    do {
      _ = try await link.session().connection.hear(until: .now + Self.pause)
    } catch {
      lose()
    }
  }

  /// Makes the dispatcher register the worker on the dispatcher's connection until the heartbeat
  /// connection is open again.
  ///
  /// The dispatcher's connection is already open. On a busy machine, opening a new connection could
  /// take longer than 200 ms. After 200 ms without its registered connection, a worker is
  /// considered missing.
  private func lose() {
    guard registration.isBeating else { return }
    registration.isBeating = false
    worker.wakeUp.endPause()
  }
}
