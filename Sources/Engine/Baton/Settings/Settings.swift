import Foundation
import Synchronization

/// What the environment and the file of settings say; arguments go over both.
struct Settings: Sendable {
  private let environment: [String: String]
  private let file: SettingsFile?
  private let layers: SettingLayers

  init(environment: [String: String], file: SettingsFile? = nil) {
    (self.environment, self.file) = (environment, file)
    layers = SettingLayers(environment: environment, file: file)
  }

  // MARK: Those of this process

  private static let read = Mutex<Settings?>(nil)

  /// Those that the process began with; where nothing was read, those of the environment as it is now.
  static var current: Settings {
    read.withLock { $0 } ?? Settings(environment: ProcessInfo.processInfo.environment)
  }

  /// The variable that names the file where no argument does.
  static let fileVariable = "BATON_CONFIG"

  /// Reads the file that the arguments or the environment name, and returns the arguments without that.
  ///
  /// - Throws: ``Complaint``.
  static func begin(_ arguments: [String]) throws(Complaint) -> [String] {
    let environment = ProcessInfo.processInfo.environment
    let named = try ConfigArgument(arguments)
    let variable = environment[fileVariable].flatMap { $0.isEmpty ? nil : $0 }
    guard let path = named.path ?? variable else { return arguments }
    #if ConfigurationFile
      let file = try SettingsFile(reading: path, of: Setting.all(of: Program.application))
      read.withLock { $0 = Settings(environment: environment, file: file) }
      return named.others
    #else
      throw Complaint(
        .usage, what: "This build of \(Program.name) reads no file of settings.",
        place: named.path == nil ? fileVariable : "--config",
        next: "Set \(path)'s settings in the environment; or build it with the trait "
          + "ConfigurationFile.")
    #endif
  }

  // MARK: Values

  /// What is said; nil: nothing, and there is nothing that is taken instead.
  func text(_ setting: Setting) -> String? { layers.text(setting) ?? setting.standard }

  /// A number.
  ///
  /// - Throws: ``Complaint`` where the environment says none; the file was looked at before.
  func number(_ setting: Setting) throws(Complaint) -> Int? {
    try checked(setting).flatMap { Int($0) }
  }

  /// Yes or no; no where nothing is said.
  ///
  /// - Throws: ``Complaint`` where the environment says neither.
  func flag(_ setting: Setting) throws(Complaint) -> Bool {
    try checked(setting).flatMap(Setting.flag) ?? false
  }

  /// Names; none where nothing is said.
  ///
  /// - Throws: ``Complaint`` where the environment has an empty one.
  func names(_ setting: Setting) throws(Complaint) -> [String] {
    try checked(setting).map { $0.split(separator: ",").map(String.init) } ?? []
  }

  /// A value of the right form.
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

  /// Where it was said, for messages: the variable, or the line of the file.
  func place(of setting: Setting) -> String {
    let isInEnvironment = environment[setting.name].map { !$0.isEmpty } ?? false
    guard !isInEnvironment, let file, let entry = file.entries[setting.name] else {
      return setting.name
    }
    return "\(file.path):\(entry.line) (\(setting.name))"
  }
}
