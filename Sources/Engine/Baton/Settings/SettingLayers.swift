#if ConfigurationFile
  import Configuration
#endif

/// The sources of settings in order of precedence: the environment, then the file.
struct SettingLayers: Sendable {
  #if ConfigurationFile
    private let reader: ConfigReader

    /// Creates the layers of settings from the environment and the settings file.
    ///
    /// An empty variable counts as unset. An empty schema name is kept and reported as an error.
    init(environment: [String: String], file: SettingsFile?) {
      let said = environment.filter { name, value in
        !value.isEmpty || name == Setting.schema.name
      }
      let written = file?.values ?? [:]
      reader = ConfigReader(
        providers: [said, written].map { EnvironmentVariablesProvider(environmentVariables: $0) })
    }

    /// Returns the text of a setting as the user wrote it.
    func text(_ setting: Setting) -> String? {
      // All values are marked as secret, because an address may contain a password. A configuration
      // reader can log every value that is not secret.
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
