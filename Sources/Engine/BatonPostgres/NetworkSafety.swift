import CLibPQ
import Foundation

/// The safe defaults for a server on another machine: it must prove its identity, without a man in the middle.
struct NetworkSafety {
  /// An option of libpq, as a keyword and as a variable of the environment.
  struct Option: Equatable {
    let keyword: String
    let value: String
    let variable: String
  }

  private let configuration: ConnectionConfiguration
  private let parsed: [String: String]
  /// Nil if libpq cannot resolve the address: then no connection is made either.
  private let resolved: ResolvedAddress?

  init(of configuration: ConnectionConfiguration) {
    self.configuration = configuration
    parsed = configuration.parsed
    resolved = ResolvedAddress(configuration.address)
  }

  /// The options that are placed before the address, so that an explicit choice overrides them.
  var options: [Option] {
    guard isRemote else { return [] }
    var options: [Option] = []
    if chosen("sslmode") == nil {
      options.append(Option(keyword: "sslmode", value: "verify-full", variable: "PGSSLMODE"))
    }
    // If a Kerberos ticket exists, libpq would prefer Kerberos to TLS and would not check the certificate.
    if chosen("gssencmode") == nil {
      options.append(Option(keyword: "gssencmode", value: "disable", variable: "PGGSSENCMODE"))
    }
    if needsBoundChannel {
      options.append(
        Option(keyword: "channel_binding", value: "require", variable: "PGCHANNELBINDING"))
    }
    return options
  }

  /// A warning about weak explicit settings for a connection over a network.
  var warning: String? {
    guard isRemote else { return nil }
    var warnings: [String] = []
    if let mode = chosen("sslmode"), mode != "verify-full" {
      warnings.append(
        "sslmode=\(mode) does not prove which server answers; use sslmode=verify-full")
    }
    if let least = chosen("ssl_min_protocol_version"), ["TLSv1", "TLSv1.1"].contains(least) {
      warnings.append("ssl_min_protocol_version=\(least) is broken; use TLSv1.2 or TLSv1.3")
    }
    return warnings.isEmpty ? nil : warnings.joined(separator: "; ")
  }

  /// Whether channel binding is required, so that the server proves over this very connection that it knows the
  /// password.
  ///
  /// A man in the middle then fails even with a certificate that an authority issued wrongly, and no server receives
  /// the password itself.
  ///
  /// It is not required if a client certificate may log in, because then no password is requested and libpq would
  /// refuse. Nor is it required if TLS is not certain, or if one of several servers is on this machine.
  private var needsBoundChannel: Bool {
    let isEncrypted = ["require", "verify-ca", "verify-full", nil].contains(chosen("sslmode"))
    return chosen("channel_binding") == nil && isEncrypted && !hasClientCertificate
      && servers.allSatisfy { $0 == .remote }
  }

  /// Whether a client certificate is named or exists where libpq looks for one.
  private var hasClientCertificate: Bool {
    resolved?["sslcert"] != nil
      || FileManager.default.fileExists(
        atPath: ConnectionConfiguration.home + "/.postgresql/postgresql.crt")
  }

  private func chosen(_ keyword: String) -> String? {
    resolved?.chosen(keyword, inAddress: parsed[keyword]) ?? parsed[keyword]
  }

  // MARK: Where the server is

  /// Whether any of the servers may be on another machine.
  ///
  /// A host name that is not local makes the server remote, even if its `hostaddr` is local. With `hostaddr` the
  /// certificate must contain the name, and the local address may be the end of a tunnel.
  private var isRemote: Bool { servers.contains(.remote) }

  private enum Place { case here, remote }

  /// The places of the servers, which libpq tries in turn.
  private var servers: [Place] {
    guard let resolved else { return [.remote] }
    func list(_ keyword: String) -> [Substring] {
      (resolved[keyword] ?? "").split(separator: ",", omittingEmptySubsequences: false)
    }
    let (names, numbers) = (list("host"), list("hostaddr"))
    return (0..<max(names.count, numbers.count)).map { index in
      let said = [names, numbers].compactMap { $0.indices.contains(index) ? $0[index] : nil }
      return said.contains { !$0.isEmpty && !Self.isLocal(String($0)) } ? .remote : .here
    }
  }

  private static func isLocal(_ host: String) -> Bool {
    host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 46 || (48...57).contains($0) }
  }
}
