import ArgumentParser
import BatonPostgres
import Logging

/// Where HTTP is answered, as the arguments say it.
struct HTTPOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Answer pages, health and metrics by HTTP at 127.0.0.1:8080, [::1]:8080 or unix:/path.",
      valueName: "address"))
  var http: String?

  @Option(
    help: ArgumentHelp(
      "A name by which clients may ask beside the address itself; may be given several times.",
      valueName: "name"))
  var httpHost: [String] = []

  @Flag(
    help: "Let --http be an address that other machines reach, which needs a token or a password.")
  var httpOpen = false

  @Flag(help: "Let nobody change anything by HTTP: pages and figures, and no action.")
  var httpReadOnly = false

  /// What the arguments and the settings say; nil: no HTTP.
  ///
  /// - Parameter setting: that of the command.
  /// - Throws: ``Complaint``.
  func settings(or setting: Setting) throws -> HTTPSettings? {
    let settings = Settings.current
    let place = http == nil ? settings.place(of: setting) : "--http"
    guard let text = http ?? settings.text(setting) else {
      guard httpHost.isEmpty, !httpOpen, !httpReadOnly else {
        throw Complaint(
          .usage, what: "It is not said where HTTP is answered.", place: "the arguments",
          next: "Add --http 127.0.0.1:8080, or leave the other options of HTTP out.")
      }
      return nil
    }
    guard let address = HTTPAddress(text) else {
      throw Complaint(
        .usage, what: "'\(text)' is no address for HTTP.", place: place,
        next: "Write 127.0.0.1:8080, [::1]:8080 or unix:/path; no name but localhost.")
    }
    let (token, password) = try secrets(for: address, place: place)
    let names = httpHost.isEmpty ? try settings.names(.httpHosts) : httpHost
    let isReadOnly = httpReadOnly ? true : try settings.flag(.httpReadOnly)
    return HTTPSettings(
      address: address, hosts: Set(address.names + names.map { $0.lowercased() }), token: token,
      password: password, isReadOnly: isReadOnly)
  }

  /// - Throws: ``Complaint`` where others could ask who have shown nothing; also where a file cannot be used, which
  ///   shows now and not when somebody asks.
  private func secrets(
    for address: HTTPAddress, place: String
  ) throws -> (HTTPToken?, HTTPPassword?) {
    let isOpen = httpOpen ? true : try Settings.current.flag(.httpOpen)
    guard address.isOfThisMachine || isOpen else {
      throw Complaint(
        .usage, what: "Other machines reach \(address), and no TLS protects what is said there.",
        place: place,
        next: "Take 127.0.0.1 behind a proxy that has TLS; or add --http-open and give a token.")
    }
    let (token, password) = (HTTPToken.ofEnvironment, HTTPPassword.ofEnvironment)
    guard token != nil || password != nil || address.isOfThisMachine else {
      throw Complaint(
        .usage, what: "\(address) needs a token or a password.", place: "BATON_HTTP_TOKEN_FILE",
        next: "Write `openssl rand -hex 32` into a file with mode 600, and name it there; or "
          + "name:password, and name it in BATON_HTTP_PASSWORD_FILE.")
    }
    if token != nil || password != nil { Dumps.forbid() }
    _ = try token?.read()
    try password?.check()
    return (token, password)
  }

  /// What answers; the reason stands in a complaint where there is none.
  ///
  /// - Throws: ``Complaint``.
  static func front() throws -> any HTTPServing {
    guard let front = Program.application.http as? any HTTPServing else {
      throw Complaint(
        .usage, what: "This build of \(Program.name) answers no HTTP.", place: "--http",
        next: "Build it with the trait HTTP, which is on unless it is turned off, and with the "
          + "module Operations; everything else works without.")
    }
    return front
  }
}

extension Logger {
  /// One line, for whoever reads the log and for whoever wants to know the port.
  func noteHTTP(_ answering: any RunningHTTPServer, _ settings: HTTPSettings) {
    let shown =
      switch (settings.token != nil, settings.password != nil) {
      case (false, false): "without a token"
      case (true, false): "with a token; health without"
      case (false, true): "with a password; health without"
      case (true, true): "with a token or a password; health without"
      }
    notice(
      "answering HTTP at \(answering.address), \(shown)\(settings.isReadOnly ? "; read-only" : "")")
  }
}
