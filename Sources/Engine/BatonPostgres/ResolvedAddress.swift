import CLibPQ
import Foundation

/// The options that libpq derives from an address, the address's service and the environment.
///
/// libpq has no function that only resolves options. The initializer starts a connection with an
/// invalid option, which libpq rejects after resolving all options. For a connection with an
/// invalid option, libpq does not send any packets or resolve any host names.
struct ResolvedAddress {
  struct Option {
    let value: String
    /// libpq's compiled-in default value of the option.
    let compiled: String?
    /// The option's environment variable.
    let variable: String?
  }

  private let options: [String: Option]
  /// Whether the address, its service or `PGPASSWORD` contains a password.
  ///
  /// A `.pgpass` file is not considered.
  let hasPassword: Bool

  /// Resolves an address, or returns nil if libpq cannot resolve the address, for example because
  /// the service is not defined.
  init?(_ address: String) {
    let pointer = withCStrings(["dbname", "passfile", "target_session_attrs"]) { keywords in
      // With a nonexistent password file, libpq does not read `.pgpass`, and does not print a
      // warning about it.
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

  /// The value of a libpq option from any source, or nil if the option has no value.
  subscript(_ keyword: String) -> String? { options[keyword]?.value }

  /// Returns the explicitly chosen value of an option, or nil if libpq's default is used.
  ///
  /// If a connection service (`pg_service.conf`) sets an option to libpq's default value, the
  /// method returns nil, as if the option were not set.
  ///
  /// - Parameter parsed: the value of the keyword in the address, or nil if the address does not
  ///   contain the keyword.
  func chosen(_ keyword: String, inAddress parsed: String?) -> String? {
    let option = options[keyword]
    if let parsed { return parsed }
    if let variable = option?.variable, let said = ProcessInfo.processInfo.environment[variable] {
      return option?.value ?? said
    }
    return option?.value == option?.compiled ? nil : option?.value
  }

  /// Returns the options that have a value, and frees libpq's list of options.
  ///
  /// Passwords are omitted and never copied.
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

  /// The keywords of options with secret values.
  static let secrets: Set = ["password", "sslpassword"]
}
