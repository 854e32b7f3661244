import CLibPQ
import Foundation

/// The task that executes a round trip or a transaction on a connection, with its cancellation
/// state.
struct CurrentTask {
  /// Whether the task was already cancelled when it started.
  ///
  /// If the task was cancelled before the call started, the call runs to completion, so that the
  /// task can clean up.
  private let wasCancelled = Task.isCancelled

  /// Whether the task was cancelled after it started.
  private var isCancelled: Bool { Task.isCancelled && !wasCancelled }

  /// Throws an error if the task was cancelled after the round trip or transaction started.
  ///
  /// A short statement ends before the client notices the cancellation. Without this check before
  /// each statement, a cancelled task could execute a thousand more short statements.
  ///
  /// - Throws: ``PostgresError``, as for a cancelled statement.
  func checkCancellation() throws(PostgresError) {
    guard isCancelled else { return }
    throw PostgresError(.queryCanceled, "its task was cancelled")
  }

  /// Waits until `isOver` returns true, and calls `end` if the task is cancelled during the wait.
  ///
  /// The `isOver` closure waits at most for the duration in its argument. The `end` closure is
  /// called repeatedly, because the server ignores a cancel request between two statements of one
  /// round trip.
  func wait(until isOver: (Duration) -> Bool, orElse end: () -> Void) {
    var slice = Duration.milliseconds(100)
    while !isOver(slice) {
      guard isCancelled else { continue }
      end()
      slice = min(slice * 2, .seconds(1))
    }
  }
}

extension ConnectionHandle {
  /// Waits up to a time limit for a result or a libpq error, and returns whether one is available.
  ///
  /// PQgetResult itself would wait without a time limit.
  func waitForResult(slice: Duration) -> Bool {
    let descriptor = PQsocket(pointer)
    guard PQisBusy(pointer) == 1, descriptor >= 0 else { return true }
    var socket = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = poll(&socket, 1, Int32(slice / .milliseconds(1)))
    guard ready != 0, !(ready < 0 && errno == EINTR) else { return false }
    // After a read error, the result is true, because PQgetResult will report the error.
    return PQconsumeInput(pointer) != 1 || PQisBusy(pointer) == 0
  }
}
