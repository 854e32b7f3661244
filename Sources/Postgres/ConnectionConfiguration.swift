import CLibPQ
import Foundation

/// Where the database is and how the connection is kept alive.
public struct ConnectionConfiguration: Sendable {
  /// A URL or keyword string, handed to libpq untouched; empty for libpq's own environment.
  public let address: String
  /// Shown in `pg_stat_activity` where nothing else names the program.
  public let applicationName: String
  /// Whether COMMIT waits until the disk has the transaction.
  ///
  /// Without it a crash of the server
  /// can lose the last second, in order: fit only for what can be run again. Direct connections.
  public let isDurable: Bool

  /// A configuration.
  ///
  /// - Parameters:
  ///   - address: `postgresql://user@host/database`, also with `?host=/socket/directory`, or
  ///     libpq's `keyword=value` form. Empty: `PGHOST`, `PGSERVICE`, `.pgpass` and the like.
  ///   - applicationName: what `pg_stat_activity` shows.
  ///   - isDurable: whether COMMIT waits for the disk.
  public init(address: String, applicationName: String = "baton", isDurable: Bool = true) {
    self.address = address
    self.applicationName = applicationName
    self.isDurable = isDurable
  }

  /// What libpq is given, in order: what comes later wins.
  var options: [(keyword: String, value: String)] {
    var options = [("fallback_application_name", applicationName)]
    // A dead peer is noticed in 10 to 15 s instead of the kernel's quarter of an hour.
    let defaults = [
      ("connect_timeout", "5", "PGCONNECT_TIMEOUT"), ("tcp_user_timeout", "10000", ""),
      ("keepalives_idle", "5", ""), ("keepalives_interval", "3", ""), ("keepalives_count", "3", ""),
    ]
    let environment = ProcessInfo.processInfo.environment
    for (keyword, value, variable) in defaults where environment[variable] == nil {
      options.append((keyword, value))
    }
    if needsVerifiedServer { options.append(("sslmode", "verify-full")) }
    options.append(("dbname", address))
    options.append(("client_encoding", "UTF8"))
    return options
  }

  /// The address as libpq's environment, for programs of PostgreSQL that are started: a password in
  /// their arguments would be there for everybody to read.
  public var environment: [String: String] {
    let options = PQconninfoParse(address, nil)
    defer { PQconninfoFree(options) }
    var variables: [String: String] = [:]
    var option = options
    while let current = option?.pointee, current.keyword != nil {
      if let name = current.envvar, let value = current.val {
        variables[String(cString: name)] = String(cString: value)
      }
      option = option?.advanced(by: 1)
    }
    if needsVerifiedServer { variables["PGSSLMODE"] = "verify-full" }
    return variables
  }

  /// Whether libpq can read the address.
  ///
  /// Asked before connecting, because libpq's own message repeats what it cannot read, and that may
  /// hold a password.
  var isWellFormed: Bool {
    guard address.contains("=") || address.contains("://") else { return true }
    let options = PQconninfoParse(address, nil)
    defer { PQconninfoFree(options) }
    return options != nil
  }

  /// A warning where an explicit `sslmode` is weaker than `verify-full` over a network.
  public var warning: String? {
    guard isRemote, let mode = explicitSSLMode, mode != "verify-full" else { return nil }
    return "sslmode=\(mode) does not prove which server answers; use sslmode=verify-full"
  }

  /// Over TCP to another machine the server must prove who it is, unless somebody said otherwise.
  private var needsVerifiedServer: Bool { isRemote && explicitSSLMode == nil }

  private var explicitSSLMode: String? {
    parsed["sslmode"] ?? ProcessInfo.processInfo.environment["PGSSLMODE"]
  }

  private var isRemote: Bool {
    let defaults = Self.values(PQconndefaults())
    let hosts = parsed["hostaddr"] ?? parsed["host"] ?? defaults["hostaddr"] ?? defaults["host"]
    return (hosts ?? "").split(separator: ",").contains { !Self.isLocal(String($0)) }
  }

  private static func isLocal(_ host: String) -> Bool {
    host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 46 || (48...57).contains($0) }
  }

  private var parsed: [String: String] {
    Self.values(PQconninfoParse(address, nil))
  }

  /// The options that have a value; frees what libpq allocated.
  private static func values(
    _ options: UnsafeMutablePointer<PQconninfoOption>?
  ) -> [String: String] {
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let current = option?.pointee, let keyword = current.keyword {
      if let value = current.val, value.pointee != 0 {
        values[String(cString: keyword)] = String(cString: value)
      }
      option = option?.advanced(by: 1)
    }
    return values
  }
}
