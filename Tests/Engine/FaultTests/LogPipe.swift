import Foundation
import Synchronization
import TestSupport

/// A named pipe for the log of a worker.
///
/// Its reader can pause.
final class LogPipe: Sendable {
  let path: String
  private let descriptor: Int32
  private let state = Mutex((isBlocked: false, isClosed: false, bytes: 0))

  init(path: String) throws {
    self.path = path
    guard mkfifo(path, 0o600) == 0 else { throw TestFailure("cannot make \(path)") }
    // The reader also opens the pipe for writing, so that opening the pipe does not wait for a
    // writer.
    descriptor = open(path, O_RDWR)
    guard descriptor >= 0 else { throw TestFailure("cannot open \(path)") }
    Thread.detachNewThread { [self] in read() }
  }

  /// The number of bytes that the reader has read.
  var bytes: Int { state.withLock(\.bytes) }

  /// Stops the reading, or resumes it.
  func block(_ isBlocked: Bool) { state.withLock { $0.isBlocked = isBlocked } }

  /// Fills the pipe, so that every write waits.
  func fill() {
    let writer = open(path, O_WRONLY | O_NONBLOCK)
    defer { _ = Glibc.close(writer) }
    for size in [4_096, 1] {
      let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: size)
      while write(writer, bytes, size) > 0 {}
    }
  }

  /// Whether the pipe has no room, so that a write would wait.
  var isFull: Bool {
    var set = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&set, 1, 0) == 0
  }

  func close() { state.withLock { $0.isClosed = true } }

  private func read() {
    var room = [UInt8](repeating: 0, count: 65_536)
    while !state.withLock(\.isClosed) {
      var set = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard !state.withLock(\.isBlocked), poll(&set, 1, 100) == 1 else {
        Thread.sleep(forTimeInterval: 0.05)
        continue
      }
      let count = Glibc.read(descriptor, &room, room.count)
      if count > 0 { state.withLock { $0.bytes += count } }
    }
    Glibc.close(descriptor)
  }
}
