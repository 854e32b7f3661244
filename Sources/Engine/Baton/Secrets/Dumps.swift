import CProcess

/// Protects the memory of a process that uses a password: only root can read it.
///
/// The kernel writes no core file and refuses debuggers of the same user. A size limit for core files is not enough:
/// a core handler (`|` in `core_pattern`) gets them regardless of the limit. The password cannot be erased either,
/// because only libpq knows where in memory it is.
enum Dumps {
  /// Applies until the process ends, unless `BATON_CORE_DUMPS` is yes, for debugging a process that hangs.
  static func forbid() {
    // An invalid value does not allow dumps.
    guard (try? Settings.current.flag(.coreDumps)) != true else { return }
    // This cannot fail: every supported kernel knows the request.
    _ = baton_forbid_dumps()
  }
}
