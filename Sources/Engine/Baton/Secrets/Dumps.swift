import CProcess

/// Protects the memory of a process that uses a password.
///
/// Only root can read the protected memory.
///
/// The kernel does not write a core file for the process, and rejects debuggers that the same user
/// starts. A size limit for core files would not prevent all core files, because a core handler
/// (`|` in `core_pattern`) ignores the limit. The password cannot be erased from memory, because
/// libpq stores the password at an unknown location.
package enum Dumps {
  /// Forbids core files and debuggers until the process ends.
  ///
  /// If `BATON_CORE_DUMPS` is yes, nothing is forbidden, so that a hanging process can be debugged.
  package static func forbid() {
    // An invalid value of `BATON_CORE_DUMPS` does not allow core files or debuggers.
    guard (try? Settings.current.flag(.coreDumps)) != true else { return }
    // The call does not fail on any supported kernel.
    _ = baton_forbid_dumps()
  }
}
