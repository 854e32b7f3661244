import CLibPQ
import Foundation

/// The address of the database, and the settings that keep a connection alive.
///
/// It prints without its address, because that may contain a password.
public struct ConnectionConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
  /// A URL or keyword string, passed to libpq unchanged; empty: libpq uses its own environment.
  public let address: String
  /// The name in `pg_stat_activity`, if no other setting names the program.
  public let applicationName: String
  /// Whether COMMIT waits until the transaction is on disk.
  ///
  /// If false, a crash of the server can lose the transactions of the last second, always the latest ones. That is only
  /// suitable for work that can be repeated, and it has an effect only on direct connections.
  public let isDurable: Bool
  /// Called with each connection immediately after it is opened; an error closes the connection.
  public var whenOpened: (@Sendable (Connection) async throws(PostgresError) -> Void)?
  /// The longest time that a statement may take; nil: no limit.
  ///
  /// If it is set, transactions of the connection only read, and the server ends a statement that takes longer (57014).
  /// It is set in each transaction, because a pooler forgets the settings of a session. A script of several statements
  /// (``Connection/script(_:)``) outside of a transaction is not limited.
  public var readsWithin: Duration?
  /// The file of the password, which takes precedence over every other place where libpq finds a password.
  public let password: PasswordFile?

  /// A configuration.
  ///
  /// - Parameters:
  ///   - address: `postgresql://user@host/database`, also with `?host=/socket/directory`, or libpq's `keyword=value`
  ///     form. Empty: `PGHOST`, `PGSERVICE`, `.pgpass` and others.
  ///   - applicationName: the name in `pg_stat_activity`.
  ///   - isDurable: whether COMMIT waits for the disk.
  ///   - password: read again for each connection; nil: libpq uses the password of the address, the service,
  ///     `PGPASSWORD` or `.pgpass`, or no password.
  public init(
    address: String, applicationName: String = "baton", isDurable: Bool = true,
    password: PasswordFile? = nil
  ) {
    self.address = address
    self.applicationName = applicationName
    self.isDurable = isDurable
    self.password = password
  }

  /// The calls with which each transaction begins if ``readsWithin`` is set.
  var limits: [Call<Void>] {
    readsWithin.map { [.run(.limitReads, "\(Int64($0 / .milliseconds(1)))ms")] } ?? []
  }

  /// The options for libpq, in order: a later one overrides an earlier one.
  var options: [(keyword: String, value: String)] {
    var options = [("fallback_application_name", applicationName)]
    // A dead peer is noticed within 10 to 15 s instead of the kernel's quarter of an hour.
    let defaults = [
      ("connect_timeout", "5", "PGCONNECT_TIMEOUT"), ("tcp_user_timeout", "10000", ""),
      ("keepalives_idle", "5", ""), ("keepalives_interval", "3", ""), ("keepalives_count", "3", ""),
    ]
    let environment = ProcessInfo.processInfo.environment
    for (keyword, value, variable) in defaults where environment[variable] == nil {
      options.append((keyword, value))
    }
    options += NetworkSafety(of: self).options.map { ($0.keyword, $0.value) }
    options.append(("dbname", address))
    options.append(("client_encoding", "UTF8"))
    return options
  }

  /// The address as environment variables of libpq, for programs of PostgreSQL that are started.
  ///
  /// All users of the machine could read a password in the programs' arguments.
  ///
  /// - Throws: ``PostgresError`` if the password file cannot be used.
  public var environment: [String: String] {
    get throws(PostgresError) {
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
      for option in NetworkSafety(of: self).options { variables[option.variable] = option.value }
      if let secret = try password?.read() {
        variables["PGPASSWORD"] = secret.withCString { String(cString: $0) }
      }
      return variables
    }
  }

  /// Whether libpq can read the address, and reads it as intended.
  ///
  /// It is checked before connecting, because libpq's own message repeats the part that it cannot read, and that part
  /// may contain a password.
  var isWellFormed: Bool {
    guard address.contains("=") || address.contains("://") else { return true }
    let options = PQconninfoParse(address, nil)
    defer { PQconninfoFree(options) }
    return options != nil && !isCutInItsPassword
  }

  /// Whether the password of a URL contains an `@` or a `/` that is not written as %40 or %2F, or the URL ends after
  /// it.
  ///
  /// libpq would take a part of the password for a host, a port or a database, and its messages would contain that
  /// part.
  private var isCutInItsPassword: Bool {
    guard let scheme = address.firstRange(of: "://") else { return false }
    guard parsed["port"]?.allSatisfy({ $0.isNumber || $0 == "," }) ?? true else { return true }
    let rest = address[scheme.upperBound...]
    guard let at = rest.firstIndex(of: "@") else { return false }
    let (ahead, behind) = (rest[..<at], rest[at...].dropFirst().prefix { $0 != "?" })
    return behind.contains("@") || (ahead.contains("/") && !ahead.contains("?"))
  }

  /// A warning if an explicit setting makes a network connection weaker than necessary; nil: no warning.
  public var warning: String? { NetworkSafety(of: self).warning }

  /// Whether there may be a password to use, as far as the client can know without the server.
  public var mayUsePassword: Bool {
    guard password == nil, let resolved = ResolvedAddress(address) else { return true }
    return resolved.hasPassword || FileManager.default.fileExists(atPath: passwordFileOfLibpq)
  }

  /// The path where libpq looks for a `.pgpass`.
  private var passwordFileOfLibpq: String {
    parsed["passfile"] ?? ProcessInfo.processInfo.environment["PGPASSFILE"]
      ?? Self.home + "/.pgpass"
  }

  /// The folder in which libpq looks for the files of its user.
  static var home: String {
    let named = ProcessInfo.processInfo.environment["HOME"] ?? ""
    return named.isEmpty ? NSHomeDirectory() : named
  }

  /// The keywords in the address itself, without the passwords.
  var parsed: [String: String] {
    ResolvedAddress.options(PQconninfoParse(address, nil)).mapValues(\.value)
  }

  /// A text without the address.
  public var description: String { "the connections of \(applicationName)" }
  /// A mirror without the address.
  public var customMirror: Mirror { Mirror(self, children: ["name": applicationName]) }
}
