import Foundation

/// The programs of one PostgreSQL installation.
struct Installation {
  let directory: String

  var initdb: String { directory + "/initdb" }
  var pgCtl: String { directory + "/pg_ctl" }
  var postgres: String { directory + "/postgres" }

  /// Finds the installation that `pg_config` reports, or the newest installation under
  /// /usr/lib/postgresql.
  ///
  /// If a version is given, the method finds the installation of that version.
  static func find(version: String?) throws(PrivateServerError) -> Installation {
    let complete = candidates().filter(\.isComplete)
    guard let first = complete.first else {
      throw PrivateServerError(
        "PostgreSQL is not installed: initdb, pg_ctl and postgres are not there.",
        where: "`pg_config --bindir` and /usr/lib/postgresql/*/bin",
        next: "Install it: apt-get install postgresql libpq-dev")
    }
    guard let version else { return first }
    guard let matching = complete.first(where: { $0.version == version }) else {
      throw PrivateServerError(
        "The data were made by PostgreSQL \(version), which is not installed.",
        where: complete.map(\.directory).joined(separator: ", "),
        next: "Install it (apt-get install postgresql-\(version)), or remove the data folder.")
    }
    return matching
  }

  /// Returns the path of a client program such as `pgbench`, or nil if the program is missing.
  ///
  /// The method searches the installations first, and then PATH.
  static func clientProgram(_ name: String) -> String? {
    let paths = candidates().map { "\($0.directory)/\(name)" }
    return paths.first { access($0, X_OK) == 0 } ?? Program.find(name)
  }

  private static func candidates() -> [Installation] {
    var directories: [String] = []
    if let path = Program.find("pg_config"),
      let answer = try? Program(path: path, arguments: ["--bindir"]).output()
    {
      directories.append(answer)
    }
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newestFirst = versions.compactMap { Int($0) }.sorted(by: >)
    directories += newestFirst.map { "\(root)/\($0)/bin" }.filter { !directories.contains($0) }
    return directories.map(Installation.init)
  }

  /// Whether the installation contains all required programs.
  ///
  /// Debian's pg_config belongs to libpq-dev, and can report a folder that does not exist.
  private var isComplete: Bool {
    [initdb, pgCtl, postgres].allSatisfy { (path: String) in access(path, X_OK) == 0 }
  }

  /// The major version, parsed from a line such as `postgres (PostgreSQL) 15.18 (Debian ...)`.
  private var version: String? {
    let program = Program(path: postgres, arguments: ["--version"])
    guard let line = try? program.output(), let end = line.firstRange(of: ") ")?.upperBound
    else { return nil }
    return String(line[end...].prefix { $0.isNumber })
  }
}
