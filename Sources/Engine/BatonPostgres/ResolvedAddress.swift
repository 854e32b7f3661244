import CLibPQ
import Foundation

/// The options that libpq derives from an address, its service and the environment, before it contacts a server.
///
/// libpq has no function for that. It resolves all options before the first packet, so it is given an option that it
/// refuses after that step: nothing is sent, and no name is looked up.
struct ResolvedAddress {
  struct Option {
    let value: String
    /// libpq's default value.
    let compiled: String?
    /// The environment variable of the option.
    let variable: String?
  }

  private let options: [String: Option]
  /// Whether the address, its service or `PGPASSWORD` contains a password; a `.pgpass` is not considered.
  let hasPassword: Bool

  /// Nil if libpq cannot resolve the address, for example because its service is not defined.
  init?(_ address: String) {
    let pointer = withCStrings(["dbname", "passfile", "target_session_attrs"]) { keywords in
      // This path cannot exist. libpq would warn each time about a `.pgpass` that others can read.
      withCStrings([address, "/dev/null/none", "none"]) { values in
        PQconnectStartParams(keywords, values, 1)
      }
    }
    guard let pointer else { return nil }
    defer { PQfinish(pointer) }
    options = Self.options(PQconninfo(pointer))
    hasPassword = PQpass(pointer).map { $0.pointee != 0 } ?? false
    guard options["port"] != nil else { return nil }
  }

  /// The value of a keyword of libpq, from any source; nil: it has none.
  subscript(_ keyword: String) -> String? { options[keyword]?.value }

  /// The explicitly chosen value; nil if it is libpq's default.
  ///
  /// - Parameter parsed: the value of the same keyword in the address, if it has one. A service's value that equals
  ///   libpq's default cannot be distinguished from a missing value, so it counts as not chosen.
  func chosen(_ keyword: String, inAddress parsed: String?) -> String? {
    let option = options[keyword]
    if let parsed { return parsed }
    if let variable = option?.variable, let said = ProcessInfo.processInfo.environment[variable] {
      return option?.value ?? said
    }
    return option?.value == option?.compiled ? nil : option?.value
  }

  /// The options that have a value, without the passwords, which are never copied; it frees the list.
  static func options(_ list: UnsafeMutablePointer<PQconninfoOption>?) -> [String: Option] {
    defer { PQconninfoFree(list) }
    var options: [String: Option] = [:]
    var next = list
    while let current = next?.pointee, let keyword = current.keyword {
      let name = String(cString: keyword)
      if let value = current.val, value.pointee != 0, !Self.secrets.contains(name) {
        options[name] = Option(
          value: String(cString: value), compiled: current.compiled.map { String(cString: $0) },
          variable: current.envvar.map { String(cString: $0) })
      }
      next = next?.advanced(by: 1)
    }
    return options
  }

  /// The keywords with secret values.
  static let secrets: Set = ["password", "sslpassword"]
}
