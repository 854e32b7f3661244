import CLibPQ
import Foundation

/// The task that has made a round trip and waits for it.
struct CurrentTask {
  /// What a task does that was cancelled before runs to its end: that is how one cleans up.
  private let wasCancelled = Task.isCancelled

  /// Waits in slices, until `isOver` says so or the task is cancelled; whether it was.
  func isCancelledWhile(_ isOver: () -> Bool) -> Bool {
    while !isOver() {
      if Task.isCancelled, !wasCancelled { return true }
    }
    return false
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
    // What cannot be read is an error that PQgetResult tells.
    return PQconsumeInput(pointer) != 1
  }
}
