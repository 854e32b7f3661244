import CLibPQ
import Foundation

extension Connection {
  /// What others have told since the last time, with NOTIFY on a channel that this session listens to.
  ///
  /// Without any it waits until there are some, no longer than this. The connection does nothing else meanwhile.
  ///
  /// - Returns: the payloads, in order; none: the time is over, or the task was cancelled.
  /// - Throws: ``PostgresError`` where the connection is lost.
  public func hear(
    until end: ContinuousClock.Instant
  ) throws(PostgresError) -> [String] {
    while true {
      let payloads = handle.takeHeard()
      let left = ContinuousClock.now.duration(to: end)
      guard payloads.isEmpty, left > .zero, !Task.isCancelled else { return payloads }
      // A slice is how long a cancelled task waits.
      try handle.waitForInput(atMost: min(left, .milliseconds(20)))
    }
  }
}

extension ConnectionHandle {
  /// Reads what the server sends unasked, and waits for it, no longer than this.
  fileprivate func waitForInput(atMost time: Duration) throws(PostgresError) {
    let descriptor = PQsocket(pointer)
    guard descriptor >= 0 else { throw failure() }
    var socket = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Rounded up: a wait of no time at all would keep the processor busy.
    let ready = poll(&socket, 1, Int32((time / .milliseconds(1)).rounded(.up)))
    guard ready > 0 else { return }
    guard PQconsumeInput(pointer) == 1 else { throw failure() }
  }

  /// The payloads of what was told, without this session's own.
  fileprivate func takeHeard() -> [String] {
    var payloads: [String] = []
    while let notify = PQnotifies(pointer) {
      if notify.pointee.be_pid != PQbackendPID(pointer) {
        payloads.append(String(cString: notify.pointee.extra))
      }
      PQfreemem(notify)
    }
    return payloads
  }
}
