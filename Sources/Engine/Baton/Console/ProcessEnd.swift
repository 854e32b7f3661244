import Foundation

/// The common exit path of all commands.
package enum ProcessEnd {
  /// Writes the printed output and ends the process without running exit handlers.
  ///
  /// `exit` would run the exit handlers of libraries such as OpenSSL while threads are still
  /// running, which could crash the process.
  package static func end(_ code: Int32) -> Never {
    // Without `fflush`, a line that a job has printed without a final line break would be lost.
    fflush(nil)
    _exit(code)
  }
}
