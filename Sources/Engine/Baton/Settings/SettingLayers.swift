#if ConfigurationFile
  import Configuration
#endif

/// The sources of values in order of precedence: the environment, then the file.
struct SettingLayers: Sendable {
  #if ConfigurationFile
    private let reader: ConfigReader

    /// An empty variable counts as unset, except for an empty schema, which must be reported as an error.
    init(environment: [String: String], file: SettingsFile?) {
      let said = environment.filter { name, value in
        !value.isEmpty || name == Setting.schema.name
      }
      let written = file?.values ?? [:]
      reader = ConfigReader(
        providers: [said, written].map { EnvironmentVariablesProvider(environmentVariables: $0) })
    }

    /// The text of a setting, as it was written.
    func text(_ setting: Setting) -> String? {
      // All values are marked as secret: an address may contain a password, and the reader has a setting that makes
      // it log every value.
      reader.string(
        forKey: ConfigKey(setting.name.lowercased().split(separator: "_").map(String.init)),
        isSecret: true)
    }
  #else
    private let environment: [String: String]

    init(environment: [String: String], file: SettingsFile?) {
      self.environment = environment.filter { name, value in
        !value.isEmpty || name == Setting.schema.name
      }
    }

    func text(_ setting: Setting) -> String? { environment[setting.name] }
  #endif
}
