import Foundation

/// The folders for temporary files of tests.
package enum TestPlaces {
  /// A folder in memory, or on disk if the memory is too small.
  ///
  /// A folder in memory is faster, because starting and stopping a server creates and removes a
  /// thousand files. A file system on disk does not immediately reuse the number of a removed file,
  /// and searches through such numbers for each new file.
  package static let quick: String = {
    let memory = "/dev/shm"
    var space = statvfs()
    guard statvfs(memory, &space) == 0, access(memory, W_OK) == 0,
      space.f_bavail * space.f_frsize >= 2 << 30
    else { return disk }
    return memory
  }()

  /// The folder for temporary files of the operating system.
  package static let disk: String = {
    let path = FileManager.default.temporaryDirectory.path()
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }()

  /// The folder ``quick``, or ``disk`` if the operating system does not permit programs in
  /// ``quick``.
  package static let quickForPrograms: String = {
    // The value of ST_NOEXEC, which is not available in Swift.
    let forbidsPrograms: UInt = 8
    var system = statvfs()
    guard statvfs(quick, &system) == 0, system.f_flag & forbidsPrograms == 0 else { return disk }
    return quick
  }()
}
