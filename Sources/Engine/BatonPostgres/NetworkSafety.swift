import CLibPQ
import Foundation

/// The secure defaults for a server on another machine.
///
/// With the secure defaults, the server must prove its identity, so a man-in-the-middle attack is
/// detected.
struct NetworkSafety {
  /// A libpq option, with its keyword and its environment variable.
  struct Option: Equatable {
    let keyword: String
    let value: String
    let variable: String
  }

  private let configuration: ConnectionConfiguration
  private let parsed: [String: String]
  /// The resolved address, or nil if libpq cannot resolve the address and therefore cannot connect.
  private let resolved: ResolvedAddress?

  init(of configuration: ConnectionConfiguration) {
    self.configuration = configuration
    parsed = configuration.parsed
    resolved = ResolvedAddress(configuration.address)
  }

  /// The default options.
  ///
  /// The defaults are placed before the address, so that an explicit option overrides a default.
  var options: [Option] {
    guard isRemote else { return [] }
    var options: [Option] = []
    if chosen("sslmode") == nil {
      options.append(Option(keyword: "sslmode", value: "verify-full", variable: "PGSSLMODE"))
    }
    // If a Kerberos ticket exists, libpq would prefer GSSAPI to TLS and would not verify the
    // certificate.
    if chosen("gssencmode") == nil {
      options.append(Option(keyword: "gssencmode", value: "disable", variable: "PGGSSENCMODE"))
    }
    if needsBoundChannel {
      options.append(
        Option(keyword: "channel_binding", value: "require", variable: "PGCHANNELBINDING"))
    }
    return options
  }

  /// A warning about insecure explicit settings for a network connection, or nil if all settings
  /// are secure.
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

  /// Whether libpq must require channel binding, a protection against man-in-the-middle attacks.
  ///
  /// With channel binding, the server proves on this connection that it knows the password.
  ///
  /// With channel binding, a man-in-the-middle attack fails even with a wrongly issued certificate.
  /// With channel binding, the client never sends the password itself.
  ///
  /// If the login may use a client certificate, libpq must not require channel binding. A server
  /// that accepts a client certificate does not request a password, and channel binding works only
  /// with a password. If libpq required channel binding, libpq would reject a login with a client
  /// certificate.
  ///
  /// If the connection might not use TLS, the value is false. If any of the configured servers is
  /// on this machine, the value is false.
  private var needsBoundChannel: Bool {
    let isEncrypted = ["require", "verify-ca", "verify-full", nil].contains(chosen("sslmode"))
    return chosen("channel_binding") == nil && isEncrypted && !hasClientCertificate
      && servers.allSatisfy { $0 == .remote }
  }

  /// Whether a client certificate is named or exists at libpq's default path.
  private var hasClientCertificate: Bool {
    resolved?["sslcert"] != nil
      || FileManager.default.fileExists(
        atPath: ConnectionConfiguration.home + "/.postgresql/postgresql.crt")
  }

  private func chosen(_ keyword: String) -> String? {
    resolved?.chosen(keyword, inAddress: parsed[keyword]) ?? parsed[keyword]
  }

  // MARK: Location of the server

  /// Whether any of the servers may be on another machine.
  ///
  /// A server with a host name that is not local counts as remote, even if the `hostaddr` option is
  /// local. A local `hostaddr` may be the end of a tunnel to another machine.
  private var isRemote: Bool { servers.contains(.remote) }

  private enum Place { case here, remote }

  /// The locations of the servers, in the order in which libpq tries them.
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
