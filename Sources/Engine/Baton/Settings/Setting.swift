/// A setting that the environment or the `--config` file may contain.
///
/// A test compares the settings with the table in docs/reference/configuration.md.
struct Setting: Sendable, Equatable {
  /// The type of a setting's value.
  enum Form: Sendable, Equatable {
    case text
    case number(ClosedRange<Int>)
    case flag
    case word([String])
    /// A list of names, separated by commas.
    case names
  }

  /// The name of the environment variable, which is also the key in the settings file.
  let name: String
  let form: Form
  /// The command-line argument that takes precedence over the setting, or nil if no argument
  /// corresponds to the setting.
  var argument: String?
  /// The default value, or nil if the setting has no default.
  var standard: String?
  /// Whether the value is a secret, which a settings file must not contain.
  var isSecret = false

  static let database = Setting(name: "DATABASE_URL", form: .text)
  static let schema = Setting(name: "BATON_SCHEMA", form: .text)
  static let passwordFile = Setting(name: "BATON_PASSWORD_FILE", form: .text)
  static let httpTokenFile = Setting(name: "BATON_HTTP_TOKEN_FILE", form: .text)
  static let httpToken = Setting(name: "BATON_HTTP_TOKEN", form: .text, isSecret: true)
  static let httpPasswordFile = Setting(name: "BATON_HTTP_PASSWORD_FILE", form: .text)
  static let coreDumps = Setting(name: "BATON_CORE_DUMPS", form: .flag, standard: "no")
  static let concurrency = Setting(
    name: "BATON_CONCURRENCY", form: .number(1...100), argument: "worker --concurrency",
    standard: "2")
  static let jobs = Setting(name: "BATON_JOBS", form: .names, argument: "worker --jobs")
  static let workerHTTP = Setting(
    name: "BATON_WORKER_HTTP", form: .text, argument: "worker --http")
  static let serveHTTP = Setting(
    name: "BATON_SERVE_HTTP", form: .text, argument: "serve --http", standard: "127.0.0.1:8080")
  static let httpHosts = Setting(
    name: "BATON_HTTP_HOSTS", form: .names, argument: "--http-host")
  static let httpOpen = Setting(
    name: "BATON_HTTP_OPEN", form: .flag, argument: "--http-open", standard: "no")
  static let httpReadOnly = Setting(
    name: "BATON_HTTP_READ_ONLY", form: .flag, argument: "--http-read-only", standard: "no")
  static let httpTrustedProxies = Setting(name: "BATON_HTTP_TRUSTED_PROXIES", form: .names)
  static let logFormat = Setting(
    name: "BATON_LOG_FORMAT", form: .word(LogFormat.allCases.map(\.rawValue)),
    argument: "--log-format", standard: LogFormat.text.rawValue)

  /// Baton's settings, in the order of the table in docs/reference/configuration.md.
  static let ofRunner = [
    database, schema, passwordFile, httpTokenFile, httpToken, httpPasswordFile, coreDumps,
    concurrency, jobs, workerHTTP, serveHTTP, httpHosts, httpOpen, httpReadOnly, httpTrustedProxies,
    logFormat,
  ]

  /// Returns Baton's settings and the program's settings.
  static func all(of application: (any Application.Type)?) -> [Setting] {
    ofRunner + (application?.variables ?? []).map { Setting(name: $0, form: .text) }
  }

  // MARK: Values

  /// Returns why a value is invalid and how to fix it, or nil if the value is valid.
  func problem(with value: String) -> (what: String, next: String)? {
    switch form {
    case .text: nil
    case .number(let range):
      Int(value).map(range.contains) == true
        ? nil
        : (
          "'\(value)' is not a number from \(range.lowerBound) to \(range.upperBound).",
          "Write a number in this range, without a unit."
        )
    case .flag:
      Self.flag(value) == nil ? ("'\(value)' is neither yes nor no.", "Write yes or no.") : nil
    case .word(let words):
      words.contains(value)
        ? nil
        : (
          "'\(value)' is not one of \(words.joined(separator: ", ")).",
          "Write one of them, in lower case."
        )
    case .names:
      value.split(separator: ",", omittingEmptySubsequences: false).contains { $0.isEmpty }
        ? (
          "'\(value)' contains an empty name.",
          "Separate names with commas, without spaces."
        ) : nil
    }
  }

  /// Returns true for `yes`, false for `no`, and nil for any other string.
  static func flag(_ value: String) -> Bool? {
    switch value.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }
}
