import Foundation
import Synchronization

/// Where every command writes its results: the one place that notices when they cannot be written.
///
/// The first error is kept and becomes the end of the command, because work that was begun goes on
/// without a reader. A closed pipe is no error: whoever reads has seen enough.
public enum Output {
  private struct State {
    var waiting: [UInt8] = []
    var failure: Int32?
  }

  /// More than this is written at once, on a terminal every line.
  private static let most = 1 << 16
  private static let isTerminal = isatty(STDOUT_FILENO) == 1
  private static let state = Mutex(State())

  /// Before anything is opened or written.
  ///
  /// A stream that the caller has closed would be the number of the next file or socket, and results
  /// would go there: something that cannot be written to, or is not read, takes its place.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// Takes text for stdout.
  static func write(_ text: String) {
    state.withLock { state in
      guard state.failure == nil else { return }
      state.waiting += text.utf8
      if isTerminal || state.waiting.count >= most { flush(&state) }
    }
  }

  /// Writes what is left.
  ///
  /// - Throws: ``Complaint`` where anything could not be written.
  static func finish() throws(Complaint) {
    let failure = state.withLock { state in
      flush(&state)
      return state.failure
    }
    guard let failure, failure != EPIPE else { return }
    throw Complaint(
      .output, what: "The output cannot be written: \(String(cString: strerror(failure))).",
      place: "stdout",
      next: "What the command did is done. Make room, or write elsewhere, and ask again.")
  }

  /// Writes what waits, for whoever reads along; an error is kept for the end.
  static func flush() { state.withLock { flush(&$0) } }

  /// Writes to stderr; there is nobody to tell where that fails.
  public static func complain(_ text: String) {
    _ = writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
  }

  private static func flush(_ state: inout State) {
    if state.failure == nil { state.failure = writeAll(state.waiting[...], to: STDOUT_FILENO) }
    state.waiting = []
  }

  /// The error that ended the writing; nil where all was written.
  private static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        // A stream that somebody has made non-blocking: it is waited for like any other.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}

/// Writes a result to stdout; ``Output/finish()`` reports what could not be written.
///
/// It stands before the standard library's function, which does not say whether it could write.
public func print(_ text: String, terminator: String = "\n") {
  Output.write(text + terminator)
}
