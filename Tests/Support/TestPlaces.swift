import Foundation

/// Where tests put files that nobody keeps.
package enum TestPlaces {
  /// A folder in memory where there is room for it, else on disk.
  ///
  /// Not only faster: a file system on disk gives no file the number of one that was just removed, and
  /// looks through all of them for each new file. Servers come and go with a thousand files.
  package static let quick: String = {
    let memory = "/dev/shm"
    var space = statvfs()
    guard statvfs(memory, &space) == 0, access(memory, W_OK) == 0,
      space.f_bavail * space.f_frsize >= 2 << 30
    else { return disk }
    return memory
  }()

  /// Where the system has its temporary files.
  package static let disk: String = {
    let path = FileManager.default.temporaryDirectory.path()
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }()

  /// ``quick`` where programs may be run from it.
  package static let quickForPrograms: String = {
    // ST_NOEXEC, which Swift does not see.
    let forbidsPrograms: UInt = 8
    var system = statvfs()
    guard statvfs(quick, &system) == 0, system.f_flag & forbidsPrograms == 0 else { return disk }
    return quick
  }()
}
