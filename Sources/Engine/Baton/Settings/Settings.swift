import Foundation
import Synchronization

/// The values of the settings, from the environment and the settings file.
///
/// Command-line arguments take precedence over the environment and the settings file.
struct Settings: Sendable {
  private let environment: [String: String]
  private let file: SettingsFile?
  private let layers: SettingLayers

  init(environment: [String: String], file: SettingsFile? = nil) {
    (self.environment, self.file) = (environment, file)
    layers = SettingLayers(environment: environment, file: file)
  }

  // MARK: The settings of this process

  private static let read = Mutex<Settings?>(nil)

  /// The settings with which the process started, or the current environment if no settings were
  /// read.
  static var current: Settings {
    read.withLock { $0 } ?? Settings(environment: ProcessInfo.processInfo.environment)
  }

  /// The environment variable that contains the settings file's path.
  ///
  /// The `--config` argument takes precedence over this variable.
  static let fileVariable = "BATON_CONFIG"

  /// Reads the settings file whose path is in an argument or in the environment.
  ///
  /// - Returns: the arguments other than `--config FILE`.
  /// - Throws: ``Complaint``.
  static func begin(_ arguments: [String]) throws(Complaint) -> [String] {
    let environment = ProcessInfo.processInfo.environment
    let named = try ConfigArgument(arguments)
    let variable = environment[fileVariable].flatMap { $0.isEmpty ? nil : $0 }
    guard let path = named.path ?? variable else { return arguments }
    #if ConfigurationFile
      let file = try SettingsFile(reading: path, of: Setting.all(of: Program.application))
      let settings = Settings(environment: environment, file: file)
      read.withLock { $0 = settings }
      // Values from the settings file are copied into the environment, where the program reads its
      // variables. The environment can be changed safely here, because no other thread is running
      // yet.
      // An empty variable counts as not set, so the file's value replaces it.
      for name in Program.application.variables where (environment[name] ?? "").isEmpty {
        if let value = settings.text(Setting(name: name, form: .text)) { setenv(name, value, 1) }
      }
      return named.others
    #else
      throw Complaint(
        .usage, what: "This build of \(Program.name) does not read settings files.",
        place: named.path == nil ? fileVariable : "--config",
        next: "Set \(path)'s settings in the environment; or build it with the trait "
          + "ConfigurationFile.")
    #endif
  }

  // MARK: Values

  /// Returns the text of a setting or its default, or nil if the setting has neither.
  func text(_ setting: Setting) -> String? { layers.text(setting) ?? setting.standard }

  /// Returns the value of a numeric setting, or its default.
  ///
  /// The values in the settings file were already checked when the file was read.
  ///
  /// - Throws: ``Complaint`` if the environment's value is not a valid number.
  func number(_ setting: Setting) throws(Complaint) -> Int? {
    try checked(setting).flatMap { Int($0) }
  }

  /// Returns the value of a yes/no setting, or false if the setting is not set.
  ///
  /// - Throws: ``Complaint`` if the environment's value is neither yes nor no.
  func flag(_ setting: Setting) throws(Complaint) -> Bool {
    try checked(setting).flatMap(Setting.flag) ?? false
  }

  /// Returns the list of names in a setting, or an empty list if the setting is not set.
  ///
  /// - Throws: ``Complaint`` if the environment's value contains an empty name.
  func names(_ setting: Setting) throws(Complaint) -> [String] {
    try checked(setting).map { $0.split(separator: ",").map(String.init) } ?? []
  }

  /// Returns the text of a setting after checking that it is valid.
  ///
  /// - Throws: ``Complaint``.
  func checked(_ setting: Setting) throws(Complaint) -> String? {
    guard let value = text(setting) else { return nil }
    if let problem = setting.problem(with: value) {
      throw Complaint(
        .usage, what: problem.what, place: place(of: setting), next: problem.next)
    }
    return value
  }

  /// Returns the source of a setting's value for messages: the environment variable, or the line in
  /// the file.
  func place(of setting: Setting) -> String {
    let isInEnvironment = environment[setting.name].map { !$0.isEmpty } ?? false
    guard !isInEnvironment, let file, let entry = file.entries[setting.name] else {
      return setting.name
    }
    return "\(file.path):\(entry.line) (\(setting.name))"
  }
}
