import CLibPQ
import Foundation

/// Who has begun something on a connection, a round trip or a transaction, and may be cancelled meanwhile.
struct CurrentTask {
  /// What a task does that was cancelled before runs to its end: that is how one cleans up.
  private let wasCancelled = Task.isCancelled

  /// Whether whoever goes on with it was cancelled since.
  private var isCancelled: Bool { Task.isCancelled && !wasCancelled }

  /// Asked before more is begun: what is short ends by itself before anybody looks whether it was cancelled,
  /// and a thousand of those would not.
  ///
  /// - Throws: ``PostgresError`` as of a statement that was ended.
  func checkCancellation() throws(PostgresError) {
    guard isCancelled else { return }
    throw PostgresError(.queryCanceled, "its task was cancelled")
  }

  /// Waits until `isOver` says so, which waits for at most as long as it is told; does `end` where the task is
  /// cancelled meanwhile.
  ///
  /// Again and again: the server does not hear it between two statements of one round trip.
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
  /// Waits until libpq has a result or an error, at most for a slice; whether it has.
  ///
  /// PQgetResult itself would wait for as long as the server takes.
  func waitForResult(slice: Duration) -> Bool {
    let descriptor = PQsocket(pointer)
    guard PQisBusy(pointer) == 1, descriptor >= 0 else { return true }
    var socket = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = poll(&socket, 1, Int32(slice / .milliseconds(1)))
    guard ready != 0, !(ready < 0 && errno == EINTR) else { return false }
    // What cannot be read is an error that PQgetResult tells; what has been answered needs no end.
    return PQconsumeInput(pointer) != 1 || PQisBusy(pointer) == 0
  }
}
