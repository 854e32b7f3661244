import BatonPostgres
import Foundation
import JobRunner
import Synchronization
import UnixSignals

/// The events that `top` waits for: observations, pressed keys and signals, in one stream.
struct TopEvents {
  enum Event: Sendable {
    case observed(Observation, [ProductGauge]?)
    /// The server is unreachable, and `top` will try to connect again.
    case lost(String)
    /// An error occurred that a retry cannot fix.
    case failed(any Error)
    case resized
    case stopped
  }

  let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let tasks: [Task<Void, Never>]

  /// Starts observing the queue.
  ///
  /// The first observation is made immediately, and another one after each interval.
  init(_ database: Database, each interval: Duration, readsKeys: Bool) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    (self.stream, self.continuation) = (stream, continuation)
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup, .sigwinch)
    tasks = [
      // The exit has a time limit, because a write to a blocked pipe could delay it forever.
      Task(executorPreference: StopSignals.thread) {
        var stops = 0
        for await signal in signals {
          if signal != .sigwinch {
            stops += 1
            StopSignals.endAfterLimit(isFirst: stops == 1)
          }
          continuation.yield(signal == .sigwinch ? .resized : .stopped)
        }
      },
      Task { await Self.observe(database, each: interval, continuation) },
    ]
    if readsKeys { Self.readKeys(continuation) }
  }

  /// Ends the tasks that produce events.
  ///
  /// The thread that reads keys is not stopped, but ends with the process.
  func end() {
    for task in tasks { task.cancel() }
    continuation.finish()
  }

  private static func readKeys(_ continuation: AsyncStream<Event>.Continuation) {
    Thread.detachNewThread {
      var key: UInt8 = 0
      while read(STDIN_FILENO, &key, 1) == 1 {
        if key == UInt8(ascii: "q") || key == UInt8(ascii: "Q") { continuation.yield(.stopped) }
      }
    }
  }

  private static func observe(
    _ database: Database, each interval: Duration,
    _ continuation: AsyncStream<Event>.Continuation
  ) async {
    var connection: Connection?
    var hasSeen = false
    while !Task.isCancelled {
      let next = ContinuousClock.now + interval
      do {
        let open = if let connection { connection } else { try await database.connect() }
        connection = open
        let queue = Queue(Session(open, in: database.schema))
        let observation = try await queue.observe()
        continuation.yield(.observed(observation, try await queue.gauges()))
        hasSeen = true
      } catch {
        await connection?.close()
        connection = nil
        guard hasSeen, let error = error as? PostgresError, error.sqlState.mayPass else {
          continuation.yield(.failed(error))
          return
        }
        continuation.yield(.lost(error.message))
      }
      try? await Task.sleep(until: next, clock: .continuous)
    }
    await connection?.close()
  }
}

extension SQLState {
  /// Whether the error may be temporary, for example while a server starts or a lock is held.
  fileprivate var mayPass: Bool {
    isConnectionLoss || isTransient || isAbsence || self == .lockNotAvailable
      || self == .queryCanceled
  }
}
