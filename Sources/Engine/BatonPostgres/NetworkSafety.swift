import CLibPQ
import Foundation

/// What is asked of a server on another machine, unless somebody chose less: that it proves who it is, and
/// that nobody stands between.
struct NetworkSafety {
  /// An option of libpq, as a keyword and as a variable of the environment.
  struct Option: Equatable {
    let keyword: String
    let value: String
    let variable: String
  }

  private let configuration: ConnectionConfiguration
  private let parsed: [String: String]
  /// Nil where libpq cannot resolve the address: then nothing is connected to either.
  private let resolved: ResolvedAddress?

  init(of configuration: ConnectionConfiguration) {
    self.configuration = configuration
    parsed = configuration.parsed
    resolved = ResolvedAddress(configuration.address)
  }

  /// What is put ahead of the address, which says it where somebody chose otherwise.
  var options: [Option] {
    guard isRemote else { return [] }
    var options: [Option] = []
    if chosen("sslmode") == nil {
      options.append(Option(keyword: "sslmode", value: "verify-full", variable: "PGSSLMODE"))
    }
    // Kerberos would go before TLS wherever a ticket lies about, and the certificate not be looked at.
    if chosen("gssencmode") == nil {
      options.append(Option(keyword: "gssencmode", value: "disable", variable: "PGGSSENCMODE"))
    }
    if needsBoundChannel {
      options.append(
        Option(keyword: "channel_binding", value: "require", variable: "PGCHANNELBINDING"))
    }
    return options
  }

  /// Over a network, what was chosen and is weak.
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

  /// With a password the server proves that it knows it, over this very connection: whoever stands between gets
  /// no further with a certificate that some authority should not have given out, and no server is sent the
  /// password itself.
  ///
  /// Not where a client certificate may log in: there no password is asked for, and libpq would refuse. Nor
  /// where TLS is not certain, or some of several servers are on this machine.
  private var needsBoundChannel: Bool {
    let isEncrypted = ["require", "verify-ca", "verify-full", nil].contains(chosen("sslmode"))
    return chosen("channel_binding") == nil && isEncrypted && !hasClientCertificate
      && servers.allSatisfy { $0 == .remote }
  }

  /// A certificate that is named, or lies where libpq looks for one.
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
  /// A name that is not this machine's makes it so whatever number stands beside it: with `hostaddr` the name is
  /// what the certificate has to say, and a tunnel ends at loopback too.
  private var isRemote: Bool { servers.contains(.remote) }

  private enum Place { case here, remote }

  /// One for each that is tried in turn.
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
