import CLibPQ
import Foundation

extension Connection {
  /// Returns the payloads of the NOTIFY messages that other sessions have sent since the last call.
  ///
  /// If no message has arrived, the method waits until the first message arrives or until `end`.
  /// Other calls on the connection wait until `hear` returns.
  ///
  /// - Returns: the payloads in order, or an empty list after the time limit or a cancellation.
  /// - Throws: ``PostgresError`` if the connection is lost.
  public nonisolated func hear(
    until end: ContinuousClock.Instant
  ) async throws(PostgresError) -> [String] {
    let interruption = Interruption()
    let heard = await withTaskCancellationHandler {
      await hear(until: end, or: interruption)
    } onCancel: {
      interruption.come()
    }
    return try heard.get()
  }

  private func hear(
    until end: ContinuousClock.Instant, or interruption: Interruption
  ) -> Result<[String], PostgresError> {
    defer { noteLoss() }
    do {
      while true {
        let payloads = handle.takeHeard()
        let left = ContinuousClock.now.duration(to: end)
        guard payloads.isEmpty, left > .zero, !Task.isCancelled else { return .success(payloads) }
        try handle.waitForInput(atMost: left, or: interruption)
      }
    } catch {
      return .failure(error)
    }
  }
}

/// A signal that any thread can send to end a wait early.
private final class Interruption: Sendable {
  let reading: Int32
  private let writing: Int32

  /// Creates the pipe through which the signal is sent.
  ///
  /// If no pipe can be created, a wait cannot be ended early.
  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    if reading >= 0 { close(reading) }
    if writing >= 0 { close(writing) }
  }

  func come() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }
}

extension ConnectionHandle {
  /// Waits for unsolicited messages from the server, up to a time limit, and reads the messages.
  fileprivate func waitForInput(
    atMost time: Duration, or interruption: Interruption
  ) throws(PostgresError) {
    let descriptor = PQsocket(pointer)
    guard descriptor >= 0 else { throw failure() }
    var waited = [descriptor, interruption.reading].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // The time is rounded up, because repeated waits of 0 ms would be a busy loop.
    let most = min(time / .milliseconds(1), 60_000).rounded(.up)
    guard poll(&waited, 2, Int32(most)) > 0, waited[0].revents != 0 else { return }
    guard PQconsumeInput(pointer) == 1 else { throw failure() }
  }

  /// Returns the payloads of the received NOTIFY messages, excluding messages from this session.
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
