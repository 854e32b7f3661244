import CProcess

/// The memory of a process that uses a password: nobody gets it but root.
///
/// The kernel is asked to write no core and to refuse debuggers of the same user. The limit on the size of a
/// core is not enough, because a handler of cores (`|` in `core_pattern`) gets them whatever it is; and what
/// of the memory holds a password only libpq knows.
enum Dumps {
  /// Until the process ends, unless `BATON_CORE_DUMPS` says yes: for who has to look into one that hangs.
  static func forbid() {
    // A value that says neither is no leave.
    guard (try? Settings.current.flag(.coreDumps)) != true else { return }
    // It cannot fail: what it is asked is known to every kernel.
    _ = baton_forbid_dumps()
  }
}
