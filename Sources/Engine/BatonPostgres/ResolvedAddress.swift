import CLibPQ
import Foundation

/// What libpq makes of an address, the service that it names and the environment, before any server is asked.
///
/// libpq has no function for that. It resolves everything ahead of the first packet, so it is given one option
/// that it refuses after that: nothing is sent, and no name is looked up.
struct ResolvedAddress {
  struct Option {
    let value: String
    /// What libpq takes where nobody says anything.
    let compiled: String?
    /// The variable of the environment that can say it.
    let variable: String?
  }

  private let options: [String: Option]
  /// Whether the address, its service or `PGPASSWORD` has one; where a `.pgpass` is, is another matter.
  let hasPassword: Bool

  /// Nil where libpq cannot resolve it: a service that is not defined, an address that is none.
  init?(_ address: String) {
    let pointer = withCStrings(["dbname", "passfile", "target_session_attrs"]) { keywords in
      // A path that cannot be: of a `.pgpass` that is readable to others libpq warns each time.
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

  /// What holds for a keyword of libpq, said by whomever; nil: nothing.
  subscript(_ keyword: String) -> String? { options[keyword]?.value }

  /// What somebody chose; nil where it is libpq's own choice.
  ///
  /// - Parameter parsed: the same keyword in the address, where it stands there. What a service says like
  ///   libpq's own choice cannot be told from silence, and is none.
  func chosen(_ keyword: String, inAddress parsed: String?) -> String? {
    let option = options[keyword]
    if let parsed { return parsed }
    if let variable = option?.variable, let said = ProcessInfo.processInfo.environment[variable] {
      return option?.value ?? said
    }
    return option?.value == option?.compiled ? nil : option?.value
  }

  /// Those of a list that have a value, without the passwords, which are copied nowhere; the list is freed.
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

  /// Keywords whose values are nobody's business.
  static let secrets: Set = ["password", "sslpassword"]
}
