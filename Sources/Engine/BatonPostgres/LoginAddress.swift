import CLibPQ
import Foundation

/// One of the network addresses or sockets that libpq tries one after another.
struct LoginAddress: Equatable, CustomStringConvertible {
  let host: String
  let port: String
  /// The numeric address, or an empty string for a Unix socket.
  let numeric: String

  /// Creates the address to which libpq is currently trying to connect.
  init(current connection: OpaquePointer) {
    func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
    host = text(PQhost(connection))
    port = text(PQport(connection))
    numeric = text(PQhostaddr(connection))
  }

  private init(host: String, port: String, numeric: String) {
    (self.host, self.port, self.numeric) = (host, port, numeric)
  }

  /// The address, in the format of libpq's messages.
  var description: String {
    numeric.isEmpty
      ? "connection to server on socket \"\(host)/.s.PGSQL.\(port)\""
      : "connection to server at \"\(host)\" (\(numeric)), port \(port)"
  }

  /// Returns all addresses in a connection's options, in the order in which libpq tries them.
  static func all(of connection: OpaquePointer) -> [LoginAddress] {
    let options = ResolvedAddress.options(PQconninfo(connection)).mapValues(\.value)
    let hosts = list(options["host"])
    let numerics = list(options["hostaddr"])
    let ports = list(options["port"])
    return (0..<max(hosts.count, numerics.count, 1)).flatMap { index in
      let host = index < hosts.count ? hosts[index] : ""
      let numeric = index < numerics.count ? numerics[index] : ""
      let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
      return all(host: host, numeric: numeric, port: port.isEmpty ? "5432" : port)
    }
  }

  /// Returns the options with which libpq tries exactly these addresses.
  static func options(_ addresses: [LoginAddress]) -> [(keyword: String, value: String)] {
    func joined(_ path: KeyPath<LoginAddress, String>) -> String {
      addresses.map { $0[keyPath: path] }.joined(separator: ",")
    }
    return [("host", joined(\.host)), ("hostaddr", joined(\.numeric)), ("port", joined(\.port))]
  }

  private static func list(_ option: String?) -> [String] {
    option?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  private static func all(host: String, numeric: String, port: String) -> [LoginAddress] {
    if !numeric.isEmpty {
      return [LoginAddress(host: host.isEmpty ? numeric : host, port: port, numeric: numeric)]
    }
    guard !host.isEmpty, !host.hasPrefix("/"), !host.hasPrefix("@") else {
      return [LoginAddress(host: host, port: port, numeric: "")]
    }
    return resolved(host).map { LoginAddress(host: host, port: port, numeric: $0) }
  }

  /// Returns the numeric addresses for a host name, in the same order as in libpq.
  private static func resolved(_ host: String) -> [String] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_family = AF_UNSPEC
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    return sequence(first: found) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
      guard let info = entry?.pointee else { return nil }
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let failed = getnameinfo(
        info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      return failed == 0
        ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        : nil
    }
  }
}

/// libpq's message about a failed login, in its verbose form.
///
/// The verbose form contains the SQLSTATE, as in `FATAL:  28P01: password authentication failed`.
/// The verbose form also contains the location in the server's source code.
struct LoginFailure {
  /// The last SQLSTATE that a server sent, or nil if no server sent an SQLSTATE.
  let state: SQLState?
  /// The message in libpq's default form, on one line.
  let text: String

  init(_ message: String) {
    let code = #/:  ([0-9A-Z]{5}): /#
    let lines = message.split(whereSeparator: \.isNewline).filter {
      $0.firstMatch(of: /^LOCATION: .*:[0-9]+$/) == nil
    }
    state = lines.compactMap { $0.firstMatch(of: code) }.last.map { SQLState(String($0.1)) }
    text =
      lines.map { line in
        line.replacing(code, maxReplacements: 1) { _ in ":  " }
      }.joined(separator: "\n").trimmedLine
  }
}
