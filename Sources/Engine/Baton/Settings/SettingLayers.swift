#if ConfigurationFile
  import Configuration
#endif

/// Where values come from: the environment, and below it the file.
struct SettingLayers: Sendable {
  #if ConfigurationFile
    private let reader: ConfigReader

    /// An empty variable is as good as none, as it always was; but an empty schema was meant.
    init(environment: [String: String], file: SettingsFile?) {
      let said = environment.filter { name, value in
        !value.isEmpty || name == Setting.schema.name
      }
      let written = file?.values ?? [:]
      reader = ConfigReader(
        providers: [said, written].map { EnvironmentVariablesProvider(environmentVariables: $0) })
    }

    /// What is said of a setting, in the form in which it was said.
    func text(_ setting: Setting) -> String? {
      // All of them as secrets: an address may hold a password, and the reader can be told to log what it reads.
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
