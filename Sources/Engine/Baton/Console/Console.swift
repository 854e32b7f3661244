import CProcess
import Foundation
import Synchronization

/// Where a command writes its results.
///
/// If they cannot be written, the command ends with exit code 74.
///
/// ```swift
/// Console.write("nothing to pack")
/// ```
/// The first error is stored until the command ends, because work that has begun must continue without a reader. A
/// closed pipe is not an error: its reader needs no more lines.
///
/// Results are collected and written in pieces of 64 KiB, and at the end of the command; on a terminal, each
/// immediately. Use Swift's `print` for a line that a reader must get immediately, for example in a job. If a
/// command uses both, printed lines may come first.
public enum Console {
  private struct State {
    var waiting: [UInt8] = []
    var failure: Int32?
  }

  /// Output is written when it exceeds this size, on a terminal after every line.
  private static let most = 1 << 16
  private static let isTerminal = isatty(STDOUT_FILENO) == 1
  private static let state = Mutex(State())

  /// Prepares the standard streams, before anything is opened or written.
  ///
  /// If the caller has closed a stream, the next file or socket would get its number, and results would be written
  /// there. So a file that cannot be written or read takes its place.
  ///
  /// Each line that a job prints is written when it ends, also to a pipe or a file, because a worker runs for weeks
  /// and may be killed.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    baton_line_buffer_stdout()
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// Writes a result to stdout, with a line break unless `terminator` is another text.
  public static func write(_ text: String, terminator: String = "\n") {
    state.withLock { state in
      guard state.failure == nil else { return }
      state.waiting += text.utf8
      state.waiting += terminator.utf8
      if isTerminal || state.waiting.count >= most { flush(&state) }
    }
  }

  /// Writes the remaining output.
  ///
  /// - Throws: ``Complaint`` if anything could not be written, printed lines included.
  static func finish() throws(Complaint) {
    let failure = state.withLock { state in
      flush(&state)
      return state.failure
    }
    let reason: String
    switch failure {
    case EPIPE: return
    case let failure?:
      reason = "The output cannot be written: \(String(cString: strerror(failure)))."
    case nil:
      guard baton_flush_stdout() != 0, hasReader else { return }
      // The C library reports that an error happened, but not which one.
      reason = "A printed line could not be written."
    }
    throw Complaint(
      .output, what: reason,
      place: "stdout",
      next: "What the command did is done. Make room, or write elsewhere, and ask again.")
  }

  /// False if stdout is a pipe that its reader has closed.
  private static var hasReader: Bool {
    var stdout = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&stdout, 1, 0) <= 0 || stdout.revents & Int16(POLLERR) == 0
  }

  /// Writes the collected output, so that output of another writer can follow; an error is stored until the end.
  static func flush() { state.withLock { flush(&$0) } }

  /// Writes to stderr; an error is ignored, because it could not be reported anywhere.
  public static func complain(_ text: String) {
    _ = writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
  }

  private static func flush(_ state: inout State) {
    if state.failure == nil { state.failure = writeAll(state.waiting[...], to: STDOUT_FILENO) }
    state.waiting = []
  }

  /// Writes all bytes; returns the error that prevented it, nil if all were written.
  private static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        // Another process may have made the stream non-blocking: wait until it can be written, as for any other
        // stream.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
