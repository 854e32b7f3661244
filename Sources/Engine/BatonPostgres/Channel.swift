import CLibPQ

/// The negotiated channel of a connection between the client and the server, for the log.
public enum Channel: Sendable, Equatable, CustomStringConvertible {
  /// A Unix socket.
  ///
  /// The data does not leave this machine.
  case socket
  /// TCP without encryption.
  ///
  /// Any machine on the network path can read the data.
  case clearText
  /// TCP with TLS.
  ///
  /// - Parameters:
  ///   - version: the protocol version, for example `TLSv1.3`.
  ///   - cipher: OpenSSL's name for the cipher.
  ///   - mode: libpq's `sslmode`, which determines whether the client has verified the certificate
  ///     and the host name.
  case encrypted(version: String, cipher: String, mode: String)
  /// TCP with GSSAPI encryption (Kerberos).
  case kerberos

  /// A phrase that follows the word "connected", such as `over TLSv1.3 (...), certificate and host
  /// name checked`.
  public var description: String {
    switch self {
    case .socket: "over a socket"
    case .clearText: "over TCP, not encrypted"
    case .kerberos: "over TCP, encrypted by GSSAPI"
    case .encrypted(let version, let cipher, let mode):
      "over \(version) (\(cipher)), " + Self.checked(mode)
    }
  }

  private static func checked(_ mode: String) -> String {
    switch mode {
    case "verify-full": "certificate and host name checked"
    case "verify-ca": "certificate checked, host name not"
    default: "sslmode=\(mode): host name not checked"
    }
  }
}

extension Connection {
  /// The channel to the server, as negotiated when the connection was opened.
  public var channel: Channel { handle.channel }
}

extension ConnectionHandle {
  /// The channel of the open connection.
  var channel: Channel {
    func attribute(_ name: String) -> String {
      PQsslAttribute(pointer, name).map { String(cString: $0) } ?? "?"
    }
    if PQsslInUse(pointer) == 1 {
      return .encrypted(
        version: attribute("protocol"), cipher: attribute("cipher"), mode: option("sslmode"))
    }
    if PQgssEncInUse(pointer) == 1 { return .kerberos }
    let host = PQhost(pointer).map { String(cString: $0) } ?? ""
    return host.hasPrefix("/") || host.hasPrefix("@") ? .socket : .clearText
  }

  /// Returns the value of a libpq option with which the connection was opened.
  private func option(_ keyword: String) -> String {
    let options = PQconninfo(pointer)
    defer { PQconninfoFree(options) }
    var next = options
    while let current = next?.pointee, let name = current.keyword {
      if String(cString: name) == keyword { return current.val.map { String(cString: $0) } ?? "?" }
      next = next?.advanced(by: 1)
    }
    return "?"
  }
}
