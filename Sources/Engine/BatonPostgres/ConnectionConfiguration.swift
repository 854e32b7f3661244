import CLibPQ
import Foundation

/// Where the database is and how the connection is kept alive.
///
/// It prints without its address, which may hold a password.
public struct ConnectionConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
  /// A URL or keyword string, handed to libpq untouched; empty for libpq's own environment.
  public let address: String
  /// Shown in `pg_stat_activity` where nothing else names the program.
  public let applicationName: String
  /// Whether COMMIT waits until the disk has the transaction.
  ///
  /// Without it a crash of the server
  /// can lose the last second, in order: fit only for what can be run again. Direct connections.
  public let isDurable: Bool
  /// Called with each connection as soon as it is open; an error closes it.
  public var whenOpened: (@Sendable (Connection) async throws(PostgresError) -> Void)?
  /// How long a statement may take; nil: as long as it takes.
  ///
  /// If it is set, transactions of the connection only read, and the server ends a statement that takes longer
  /// (57014). It is set in each transaction, because a pooler forgets the settings of a session. A script of several
  /// statements (``Connection/script(_:)``) outside of a transaction is not limited.
  public var readsWithin: Duration?
  /// The password's file, which goes before every other place where libpq finds a password.
  public let password: PasswordFile?

  /// A configuration.
  ///
  /// - Parameters:
  ///   - address: `postgresql://user@host/database`, also with `?host=/socket/directory`, or
  ///     libpq's `keyword=value` form. Empty: `PGHOST`, `PGSERVICE`, `.pgpass` and the like.
  ///   - applicationName: what `pg_stat_activity` shows.
  ///   - isDurable: whether COMMIT waits for the disk.
  ///   - password: read again for each connection; nil: libpq finds one in the address, the service,
  ///     `PGPASSWORD` or `.pgpass`, or none.
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
    options += NetworkSafety(of: self).options.map { ($0.keyword, $0.value) }
    options.append(("dbname", address))
    options.append(("client_encoding", "UTF8"))
    return options
  }

  /// The address as libpq's environment, for programs of PostgreSQL that are started: a password in
  /// their arguments would be there for everybody to read.
  ///
  /// - Throws: ``PostgresError`` where the password file cannot be used.
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

  /// Whether libpq can read the address, and reads what was meant.
  ///
  /// Asked before connecting, because libpq's own message repeats what it cannot read, and that may
  /// hold a password.
  var isWellFormed: Bool {
    guard address.contains("=") || address.contains("://") else { return true }
    let options = PQconninfoParse(address, nil)
    defer { PQconninfoFree(options) }
    return options != nil && !isCutInItsPassword
  }

  /// Whether a URL has an `@` or a `/` in its password that is not written as %40 or %2F, or nothing behind it:
  /// libpq takes a part of it for a host, a port or a database, and its messages say those.
  private var isCutInItsPassword: Bool {
    guard let scheme = address.firstRange(of: "://") else { return false }
    guard parsed["port"]?.allSatisfy({ $0.isNumber || $0 == "," }) ?? true else { return true }
    let rest = address[scheme.upperBound...]
    guard let at = rest.firstIndex(of: "@") else { return false }
    let (ahead, behind) = (rest[..<at], rest[at...].dropFirst().prefix { $0 != "?" })
    return behind.contains("@") || (ahead.contains("/") && !ahead.contains("?"))
  }

  /// A warning where something explicit is weaker over a network than it need be; nil: there is nothing.
  public var warning: String? { NetworkSafety(of: self).warning }

  /// Whether a password is there to be used, as far as can be told without asking the server.
  public var mayUsePassword: Bool {
    guard password == nil, let resolved = ResolvedAddress(address) else { return true }
    return resolved.hasPassword || FileManager.default.fileExists(atPath: passwordFileOfLibpq)
  }

  /// Where libpq looks for a `.pgpass`.
  private var passwordFileOfLibpq: String {
    parsed["passfile"] ?? ProcessInfo.processInfo.environment["PGPASSFILE"]
      ?? Self.home + "/.pgpass"
  }

  /// The folder in which libpq looks for files of its user.
  static var home: String {
    let named = ProcessInfo.processInfo.environment["HOME"] ?? ""
    return named.isEmpty ? NSHomeDirectory() : named
  }

  /// The keywords that the address itself names, without the passwords.
  var parsed: [String: String] {
    ResolvedAddress.options(PQconninfoParse(address, nil)).mapValues(\.value)
  }

  /// Without the address.
  public var description: String { "the connections of \(applicationName)" }
  /// Nothing of the address either.
  public var customMirror: Mirror { Mirror(self, children: ["name": applicationName]) }
}
