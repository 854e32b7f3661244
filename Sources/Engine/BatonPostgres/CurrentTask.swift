import CLibPQ
import Foundation

/// The task that has begun a round trip or a transaction on a connection, and that may be cancelled meanwhile.
struct CurrentTask {
  /// A task that was already cancelled at its start runs to its end, so that it can clean up.
  private let wasCancelled = Task.isCancelled

  /// Whether the task was cancelled after its start.
  private var isCancelled: Bool { Task.isCancelled && !wasCancelled }

  /// Checks for cancellation before another statement begins.
  ///
  /// A short statement ends before its cancellation is noticed, so without this check a thousand short statements in a
  /// row would all run.
  ///
  /// - Throws: ``PostgresError``, as for a statement that was cancelled.
  func checkCancellation() throws(PostgresError) {
    guard isCancelled else { return }
    throw PostgresError(.queryCanceled, "its task was cancelled")
  }

  /// Waits until `isOver` returns true; calls `end` if the task is cancelled meanwhile.
  ///
  /// `isOver` waits at most for the given time. `end` is called repeatedly, because the server ignores a cancel request
  /// between two statements of one round trip.
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
  /// Waits at most for a slice until libpq has a result or an error; returns whether it has one.
  ///
  /// PQgetResult itself would wait as long as the server takes.
  func waitForResult(slice: Duration) -> Bool {
    let descriptor = PQsocket(pointer)
    guard PQisBusy(pointer) == 1, descriptor >= 0 else { return true }
    var socket = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = poll(&socket, 1, Int32(slice / .milliseconds(1)))
    guard ready != 0, !(ready < 0 && errno == EINTR) else { return false }
    // PQgetResult will report a read error; a result that has arrived needs no cancellation.
    return PQconsumeInput(pointer) != 1 || PQisBusy(pointer) == 0
  }
}
