import ArgumentParser
import BatonPostgres
import Logging

/// The command-line arguments that set the HTTP server's address.
struct HTTPOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Serve pages, health and metrics over HTTP at this address: 127.0.0.1:8080, [::1]:8080 or unix:/path.",
      valueName: "address"))
  var http: String?

  @Option(
    help: ArgumentHelp(
      "A host name that requests may use besides the address itself; may be repeated.",
      valueName: "name"))
  var httpHost: [String] = []

  @Flag(
    help: "Allow an address that other machines can reach; requires a token or a password.")
  var httpOpen = false

  @Flag(help: "Reject all actions over HTTP; serve only pages and figures.")
  var httpReadOnly = false

  /// Returns the HTTP settings from the arguments, the environment and the settings file, or nil if
  /// HTTP is off.
  ///
  /// - Parameter setting: the setting that contains the address for this command.
  /// - Throws: ``Complaint``.
  func settings(or setting: Setting) throws -> HTTPSettings? {
    let settings = Settings.current
    let place = http == nil ? settings.place(of: setting) : "--http"
    guard let text = http ?? settings.text(setting) else {
      guard httpHost.isEmpty, !httpOpen, !httpReadOnly else {
        throw Complaint(
          .usage, what: "HTTP options need an address.", place: "the arguments",
          next: "Add --http 127.0.0.1:8080, or omit the other HTTP options.")
      }
      return nil
    }
    guard let address = HTTPAddress(text) else {
      throw Complaint(
        .usage, what: "'\(text)' is not an address for HTTP.", place: place,
        next: "Write 127.0.0.1:8080, [::1]:8080 or unix:/path. The only allowed name is localhost.")
    }
    let (token, users) = try secrets(for: address, place: place)
    let names = httpHost.isEmpty ? try settings.names(.httpHosts) : httpHost
    let isReadOnly = httpReadOnly ? true : try settings.flag(.httpReadOnly)
    return HTTPSettings(
      address: address, hosts: Set(address.names + names.map { $0.lowercased() }), token: token,
      users: users, proxies: try TrustedProxies.ofEnvironment(), isReadOnly: isReadOnly)
  }

  /// Reads the token and the password once, so that an unusable file is reported at startup.
  ///
  /// - Throws: ``Complaint`` if other machines could send requests without authentication, or if a
  ///   file is unusable.
  private func secrets(
    for address: HTTPAddress, place: String
  ) throws -> (HTTPToken?, HTTPUsers?) {
    try address.checkReach(
      isOpen: httpOpen, place: place, next: "add --http-open and give a token.")
    let (token, users) = (HTTPToken.ofEnvironment, HTTPUsers.ofEnvironment)
    guard token != nil || users != nil || address.isOfThisMachine else {
      throw Complaint(
        .usage, what: "\(address) needs a token or a password.", place: "BATON_HTTP_TOKEN_FILE",
        next: "Write `openssl rand -hex 32` into a file with mode 600, and name it there; or "
          + "the line of `\(Program.name) hash-password NAME`, and name it in BATON_HTTP_PASSWORD_FILE."
      )
    }
    if token != nil || users != nil { Dumps.forbid() }
    _ = try token?.read()
    _ = try users?.hashes()
    return (token, users)
  }

  /// Returns the program's HTTP server.
  ///
  /// - Throws: ``Complaint`` if the program has no HTTP server.
  static func front() throws -> any HTTPServing {
    guard let front = Program.application.http as? any HTTPServing else {
      throw Complaint(
        .usage, what: "This build of \(Program.name) does not support HTTP.", place: "--http",
        next: "Build the program with the trait HTTP, which is on by default, and with the "
          + "module Operations.")
    }
    return front
  }
}

extension HTTPAddress {
  /// Checks that other machines cannot reach the address, unless an argument or `BATON_HTTP_OPEN`
  /// allows this access.
  ///
  /// - Parameter next: the end of the error message, which explains how to allow access from other
  ///   machines.
  /// - Throws: ``Complaint``.
  package func checkReach(isOpen: Bool, place: String, next: String) throws {
    guard !isOfThisMachine, !isOpen, try !Settings.current.flag(.httpOpen) else { return }
    throw Complaint(
      .usage, what: "Other machines can reach \(self), and TLS does not protect the data.",
      place: place, next: "Use 127.0.0.1 and a proxy with TLS; or \(next)")
  }
}

extension TrustedProxies {
  /// Returns the configured trusted proxies.
  ///
  /// - Throws: ``Complaint`` if a configured value is neither an address nor a network.
  package static func ofEnvironment() throws -> TrustedProxies {
    let settings = Settings.current
    let texts = try settings.names(.httpTrustedProxies)
    do throws(TrustedProxies.Malformed) {
      return try TrustedProxies(texts)
    } catch {
      throw Complaint(
        .usage, what: "'\(error.text)' is neither an IP address nor a network.",
        place: settings.place(of: .httpTrustedProxies),
        next: "Write addresses such as 10.0.0.7, networks such as 10.0.0.0/8, or unix.")
    }
  }
}

extension Logger {
  /// Logs one line with the address, the port and the kinds of login.
  func noteHTTP(_ answering: any RunningHTTPServer, _ settings: HTTPSettings) {
    let shown =
      switch (settings.token != nil, settings.users != nil) {
      case (false, false): "without a token"
      case (true, false): "with a token; health without"
      case (false, true): "with a password; health without"
      case (true, true): "with a token or a password; health without"
      }
    notice(
      "answering HTTP at \(answering.address), \(shown)\(settings.isReadOnly ? "; read-only" : "")")
  }
}
