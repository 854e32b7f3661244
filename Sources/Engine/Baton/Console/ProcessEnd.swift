import Foundation

/// How every command ends.
package enum ProcessEnd {
  /// Ends the process with what was printed, and with nothing else.
  ///
  /// `exit` would run what libraries do at the end of a process, OpenSSL and Kerberos behind libpq among them, beside
  /// threads of ours that are ending too: what one of them frees is freed by both then, and a command whose work is
  /// done dies by a signal.
  package static func end(_ code: Int32) -> Never {
    // A line that a job has printed without its end.
    fflush(nil)
    _exit(code)
  }
}
