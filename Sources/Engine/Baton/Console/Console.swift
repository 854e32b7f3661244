import CProcess
import Foundation
import Synchronization

/// The output stream for a command's results.
///
/// If the results cannot be written, the command ends with exit code 74.
///
/// ```swift
/// Console.write("nothing to pack")
/// ```
/// The first write error is stored until the command ends, so that a started operation can finish.
/// If the reader has closed the pipe, the write error is ignored, because the reader needs no more
/// lines.
///
/// Results are buffered and written in pieces of 64 KiB and when the command ends. On a terminal,
/// each result is written immediately. Use Swift's `print` for a line that a reader must get
/// immediately, for example in a job. If a command uses both `print` and ``write(_:terminator:)``,
/// printed lines may appear before earlier results.
public enum Console {
  private struct State {
    var waiting: [UInt8] = []
    var failure: Int32?
  }

  /// The size of the buffered output, in bytes, at which the buffer is written to the stream.
  ///
  /// On a terminal, every line is written immediately.
  private static let most = 1 << 16
  private static let isTerminal = isatty(STDOUT_FILENO) == 1
  private static let state = Mutex(State())

  /// Prepares the standard streams before the process opens a file or writes output.
  ///
  /// If the caller has closed a standard stream, the method replaces the closed stream with a file
  /// that cannot be read or written. If a closed stream were not replaced, a new file or socket
  /// could get the stream's descriptor number and receive the command's output.
  ///
  /// Each line that a job prints is written immediately, even to a pipe or a file. A killed worker
  /// would lose buffered lines.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    baton_line_buffer_stdout()
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// Writes a result to stdout, followed by `terminator`.
  ///
  /// On a terminal, control characters and characters that change the direction of text are
  /// escaped. In a pipe or a file, the text is unchanged.
  public static func write(_ text: String, terminator: String = "\n") {
    writeRaw((isTerminal ? text.printable(keepsLines: true) : text) + terminator)
  }

  /// Writes a string that may contain terminal control sequences.
  static func writeRaw(_ text: String) {
    state.withLock { state in
      guard state.failure == nil else { return }
      state.waiting += text.utf8
      if isTerminal || state.waiting.count >= most { flush(&state) }
    }
  }

  /// Writes the buffered output.
  ///
  /// - Throws: ``Complaint`` if any output could not be written, including printed lines.
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
      // The C library reports only that a write error has occurred, but not its cause.
      reason = "A printed line could not be written."
    }
    throw Complaint(
      .output, what: reason,
      place: "stdout",
      next: "The changes are stored. Free disk space, and repeat the command.")
  }

  /// Whether stdout still has a reader.
  ///
  /// The value is false if stdout is a pipe that its reader has closed.
  private static var hasReader: Bool {
    var stdout = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&stdout, 1, 0) <= 0 || stdout.revents & Int16(POLLERR) == 0
  }

  /// Writes the buffered output before another writer uses the stream.
  ///
  /// Any write error is stored until the command ends.
  package static func flush() { state.withLock { flush(&$0) } }

  /// Writes a string to stderr, and ignores write errors.
  ///
  /// Control characters in the string are escaped, except for line feeds and tabs.
  public static func complain(_ text: String) {
    complainRaw(text.printable(keepsLines: true))
  }

  /// Writes to stderr a string that may contain terminal control sequences.
  static func complainRaw(_ text: String) {
    _ = writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
  }

  private static func flush(_ state: inout State) {
    if state.failure == nil { state.failure = writeAll(state.waiting[...], to: STDOUT_FILENO) }
    state.waiting = []
  }

  /// Writes all bytes, and returns the error code, or nil on success.
  private static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        // Another process may have made the stream non-blocking, so wait until the stream is
        // writable.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
