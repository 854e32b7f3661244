import CLibPQ

/// How a connection reaches its server, as both agreed: for the log.
public enum Channel: Sendable, Equatable, CustomStringConvertible {
  /// A unix socket: nobody stands between.
  case socket
  /// TCP, which whoever is between can read.
  case clearText
  /// TLS.
  ///
  /// - Parameters:
  ///   - version: of the protocol, `TLSv1.3`.
  ///   - cipher: as OpenSSL calls it.
  ///   - mode: libpq's `sslmode`, which says what was checked.
  case encrypted(version: String, cipher: String, mode: String)
  /// Encrypted by GSSAPI, that is Kerberos.
  case kerberos

  /// As it stands behind "connected": `over TLSv1.3 (...), certificate and host name checked`.
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
  /// How the server is reached, as was agreed when the connection was opened.
  public var channel: Channel { handle.channel }
}

extension ConnectionHandle {
  /// How the open connection goes.
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

  /// The value of a keyword with which it was opened.
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
