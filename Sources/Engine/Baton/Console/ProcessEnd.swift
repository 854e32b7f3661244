import Foundation

/// Ends the process of every command.
package enum ProcessEnd {
  /// Writes the printed output and ends the process without running exit handlers.
  ///
  /// `exit` would run the exit handlers of libraries, such as OpenSSL and Kerberos in libpq, while threads of ours
  /// still end. Both could free the same memory, and a command whose work is done would die by a signal.
  package static func end(_ code: Int32) -> Never {
    // A job may have printed a line without a line break at its end.
    fflush(nil)
    _exit(code)
  }
}
